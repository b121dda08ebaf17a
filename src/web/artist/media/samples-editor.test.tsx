import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { OwnSample } from "../../lib/api/artist/own-samples.ts";
import { currentToasts } from "../../lib/toasts.ts";
import { SamplesEditor } from "./samples-editor.tsx";

const artist = { slug: "x", name: "Electric Dreams", photo_url: null, photo_image: null, poster_url: "/art/x.svg" };
const sample = (title: string, gain = 0): OwnSample => ({
  id: title,
  title,
  url: `/storage/${title}.mp3`,
  seconds: 62,
  bars: "z".repeat(96),
  loudness: -14 - gain,
  gain,
});
let samples: OwnSample[] = [];
const calls = { rename: vi.fn(), remove: vi.fn(), order: vi.fn() };
const upload = vi.fn();
vi.mock("../../lib/api/artist/own-samples.ts", () => ({
  useOwnSamples: () => ({ data: { items: samples }, error: null, isFetching: false }),
  useChangeSamples: () => ({
    rename: { mutateAsync: calls.rename },
    remove: { mutateAsync: calls.remove },
    order: { mutate: calls.order },
  }),
  useUploadSample: () => upload,
}));

beforeEach(() => {
  samples = [sample("One"), sample("Two", 8), sample("Three", -6)];
  for (const call of Object.values(calls)) call.mockReset();
  calls.remove.mockResolvedValue(undefined);
  upload.mockReset().mockReturnValue(new Promise(() => undefined));
});

const show = () => renderInMantine(<SamplesEditor artist={artist} />);
const file = (name: string, type: string, size = 1_000) => {
  const made = new File(["x"], name, { type });
  Object.defineProperty(made, "size", { value: size });
  return made;
};
const drop = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText("Drop your tracks here"), { target: { files } });
const openMenu = async (title: string, item: string) => {
  press(`Actions: ${title}`);
  fireEvent.click(await screen.findByRole("menuitem", { name: item }));
};

test("shows each sample's position, length, level and play button", () => {
  show();
  const rows = within(screen.getByRole("list", { name: "Your samples" })).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^1One1:02$/),
    expect.stringMatching(/^2Two1:02Quiet, we raise it 8 dB$/),
    expect.stringMatching(/^3Three1:02Loud, we lower it 6 dB$/),
  ]);
  expect(screen.getByRole("button", { name: "Play Two by Electric Dreams" })).toBeTruthy();
});

test("reorders by arrow keys, saves the order and announces it", () => {
  show();
  fireEvent.keyDown(screen.getByRole("button", { name: /One, 1 of 3/ }), { key: "ArrowDown" });
  expect(calls.order.mock.calls[0]?.[0]).toEqual({ ids: ["Two", "One", "Three"] });
  expect(screen.getByText("One moved to position 2 of 3.")).toBeTruthy();
});

test("renames a sample without saving the form around it, and deletes one after a confirmation", async () => {
  const save = vi.fn();
  renderInMantine(
    <form onSubmit={save}>
      <SamplesEditor artist={artist} />
    </form>,
  );
  await openMenu("One", "Rename");
  await screen.findByRole("dialog");
  type("Name", "Uno");
  press("Rename sample");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(calls.rename).toHaveBeenCalledWith({ id: "One", title: "Uno" });
  expect(save).not.toHaveBeenCalled();
  await openMenu("Two", "Delete…");
  expect(calls.remove).not.toHaveBeenCalled();
  fireEvent.click(await screen.findByRole("button", { name: "Delete sample" }));
  await waitFor(() => expect(calls.remove).toHaveBeenCalledWith({ id: "Two" }));
});

test("shows an upload's progress, and cancels it", async () => {
  show();
  drop(file("demo_song.mp3", "audio/mpeg", 2_000_000));
  await waitFor(() => expect(upload).toHaveBeenCalled());
  const given = upload.mock.calls[0]?.[0] as { onProgress(part: number): void; signal: AbortSignal };
  given.onProgress(0.5);
  expect(await screen.findByText("50%, 1.0 MB of 2.0 MB")).toBeTruthy();
  press("Stop demo_song.mp3");
  expect(given.signal.aborted).toBe(true);
  expect(screen.queryByText("demo_song.mp3")).toBeNull();
});

test("shows why a file was rejected until it is dismissed", async () => {
  upload.mockRejectedValue(apiError("invalid", "This recording is silent. Choose another one.", 400));
  show();
  drop(file("a.aiff", "audio/aiff"), file("b.ogg", ""));
  expect((await screen.findByText(/can’t read this file/)).getAttribute("role")).toBe("alert");
  expect(await screen.findByText("This recording is silent. Choose another one.")).toBeTruthy();
  expect(upload).toHaveBeenCalledTimes(1);
  press("Dismiss a.aiff");
  expect(screen.queryByText("a.aiff")).toBeNull();
});

test("replaces the sample by another file after one was rejected", async () => {
  show();
  await openMenu("Two", "Replace");
  const choose = (chosen: File) =>
    fireEvent.change(screen.getByLabelText("Choose another file"), { target: { files: [chosen] } });
  choose(file("a.aiff", "audio/aiff"));
  fireEvent.click(await screen.findByRole("button", { name: "Choose another" }));
  choose(file("b.ogg", "audio/ogg"));
  await waitFor(() => expect(upload.mock.calls[0]?.[0]).toMatchObject({ replaces: "Two" }));
});

test("rejects more files than the remaining limit with a message", async () => {
  show();
  drop(...["a", "b", "c"].map((name) => file(`${name}.mp3`, "audio/mpeg")));
  await waitFor(() => expect(currentToasts().map(({ text }) => text)).toContain("Choose 2 at most."));
  expect(upload).not.toHaveBeenCalled();
});

test("disables the upload field at five samples, and still replaces a sample", async () => {
  samples = ["1", "2", "3", "4", "5"].map((title) => sample(title));
  show();
  expect((screen.getByLabelText("Drop your tracks here") as HTMLInputElement).disabled).toBe(true);
  await openMenu("3", "Replace");
  fireEvent.change(screen.getByLabelText("Choose another file"), {
    target: { files: [file("new.ogg", "audio/ogg")] },
  });
  await waitFor(() => expect(upload.mock.calls[0]?.[0]).toMatchObject({ replaces: "3" }));
});
