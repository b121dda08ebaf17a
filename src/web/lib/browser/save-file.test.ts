import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { downloadCsv } from "../api/csv-export.ts";
import { saveFile } from "./save-file.ts";

vi.mock("../auth/session.ts", () => ({ accessToken: () => Promise.resolve("token-1") }));
const saved = vi.fn<(name: string, address: string) => void>();
const revoked = vi.fn<typeof URL.revokeObjectURL>();
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(URL, { createObjectURL: (file: File) => `blob:${file.name}`, revokeObjectURL: revoked });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved(this.download, this.href);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

/** Returns how often a file was released 30 seconds after the click, and 90 seconds after it. */
function releasesLater(): number[] {
  return [30_000, 60_000].map((ms) => {
    vi.advanceTimersByTime(ms);
    return revoked.mock.calls.length;
  });
}

test("saveFile releases the file a minute after the click, not before the browser has read it", () => {
  saveFile(new File(["a"], "show.ics"));
  expect(saved).toHaveBeenCalledExactlyOnceWith("show.ics", "blob:show.ics");
  expect(releasesLater()).toEqual([0, 1]);
});

test("downloadCsv does so too", async () => {
  const headers = { "content-disposition": 'attachment; filename="payments-2026-11-22.csv"' };
  vi.stubGlobal("fetch", async () => new Response("a", { headers }));
  await downloadCsv("payments", {});
  expect(saved).toHaveBeenCalledExactlyOnceWith("payments-2026-11-22.csv", "blob:payments-2026-11-22.csv");
  expect(releasesLater()).toEqual([0, 1]);
});
