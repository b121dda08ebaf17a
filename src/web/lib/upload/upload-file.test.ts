import { expect, test, vi } from "vitest";
import { responseError } from "../response-error.ts";
import { uploadFile } from "./upload-file.ts";

const token = Promise.withResolvers<string>();
vi.mock("../auth/session.ts", () => ({ accessToken: () => token.promise }));

test("uploadFile sends nothing if it is stopped while the access token is renewed", async () => {
  const send = vi.spyOn(XMLHttpRequest.prototype, "send").mockImplementation(() => undefined);
  const stop = new AbortController();
  const upload = uploadFile("/api/artist/samples", new File(["x"], "one.mp3"), () => undefined, stop.signal);
  stop.abort();
  token.resolve("token");
  await expect(upload).rejects.toMatchObject({ name: "AbortError" });
  expect(send).not.toHaveBeenCalled();
});

test("a response of a proxy says what to do", () => {
  expect(responseError("The upload was refused.", 429, undefined).message).toMatch(/Please wait a minute/);
  expect(responseError("The upload was refused.", 413, undefined).message).toBe("The upload was refused.");
});
