import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useReducer } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, fieldError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { OwnMedia } from "../../lib/api/artist/own-media.ts";
import { currentToasts } from "../../lib/toasts.ts";
import ArtistMediaPage from "./media-page.tsx";

const picture = (name: string) => ({ id: name, url: `/art/x/${name}.svg`, alt: "", caption: name, image: null });
const media: OwnMedia = {
  slug: "electric-dreams",
  is_active: true,
  is_public: true,
  name: "Electric Dreams",
  photo_url: "https://pictures.example/me.jpg",
  photo_image: null,
  poster_url: "/art/electric-dreams/poster.svg?v=1",
  video_url: "https://vimeo.com/76979871",
  video_poster: null,
  items: [picture("one"), picture("two"), picture("three")],
  version: "v1",
};
const uploaded = {
  url: "/storage/artist-media/u/photo_7.webp",
  kind: "photo" as const,
  image: { width: 900, height: 600, thumbhash: "", avif: false },
};
let stored: OwnMedia | undefined;
let error: Error | null = null;
const save = vi.fn();
const refetch = vi.fn();
vi.mock("../../lib/api/artist/own-media.ts", () => ({
  useOwnMedia: () => ({ data: stored, error, isFetching: false, refetch }),
  useSaveOwnMedia: () => ({ isPending: false, mutateAsync: save }),
}));
vi.mock("../../lib/api/artist/own-samples.ts", () => {
  const change = { mutate: () => undefined, mutateAsync: () => Promise.resolve(), isPending: false, error: null };
  return {
    useOwnSamples: () => ({ data: { items: [] }, error: null, isFetching: false, refetch }),
    useChangeSamples: () => ({ rename: change, remove: change, order: change }),
    useUploadSample: () => () => Promise.resolve(),
  };
});
const upload = vi.fn();
vi.mock("../../lib/upload/upload-picture.ts", () => ({
  uploadPicture: (...given: unknown[]) => upload(...given) as Promise<unknown>,
}));

beforeEach(() => {
  [stored, error] = [media, null];
  save.mockReset().mockResolvedValue(media);
  refetch.mockReset();
  upload.mockReset().mockResolvedValue(uploaded);
});

const show = () => renderInMantine(<ArtistMediaPage />);
const toastTexts = () => currentToasts().flatMap(({ title, text }) => [title, text]);
const captions = () => screen.getAllByLabelText("Caption (optional)").map((field) => (field as HTMLInputElement).value);
const file = (name: string, type: string, size = 1_000) => {
  const made = new File(["x"], name, { type });
  Object.defineProperty(made, "size", { value: size });
  return made;
};
const choose = (label: string, ...files: File[]) =>
  fireEvent.change(screen.getByLabelText(label), { target: { files } });
const saved = () => save.mock.calls.at(-1)?.[0] as { photo_url: string | null; items: { url: string }[] };

test("shows the cards of the specification with its text", () => {
  show();
  expect(screen.getByRole("link", { name: /View Full Size/ }).getAttribute("href")).toBe(media.photo_url);
  expect(screen.getByRole("link", { name: /View Video/ }).getAttribute("href")).toBe(media.video_url);
  expect(screen.getAllByText(/max 5MB/).length).toBe(3);
  expect(screen.getByLabelText("Upload a new photo").getAttribute("accept")).toBe("image/*");
  expect(screen.getByRole("link", { name: "/artist/electric-dreams" })).toBeTruthy();
  for (const name of ["Cancel Changes", "Save Changes"]) expect(screen.getByRole("button", { name })).toBeTruthy();
});

test("shows an upload immediately, and saves it with Save Changes", async () => {
  show();
  choose("Upload a new photo", file("me.png", "image/png"));
  await waitFor(() => expect(toastTexts()).toContain("Photo uploaded successfully!"));
  expect(screen.getByAltText("Current photo").getAttribute("src")).toBe(uploaded.url);
  expect(save).not.toHaveBeenCalled();
  press("Save Changes");
  await waitFor(() => expect(saved().photo_url).toBe(uploaded.url));
  await waitFor(() => expect(toastTexts()).toContain("Your media has been updated successfully."));
});

test.each([
  ["a file above 5 MB", file("big.png", "image/png", 5_242_881), /larger than 5 MB/],
  ["an SVG", file("x.svg", "image/svg+xml"), /JPEG, PNG, WebP or AVIF picture/],
  ["an empty file", file("x.png", "image/png", 0), /empty/],
])(
  "does not send %s, and shows the reason at the field beside the specification's text",
  async (_what, given, reason) => {
    show();
    choose("Upload a new photo", given);
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(toastTexts()).toContain("Failed to upload photo. Please try again.");
    expect(upload).not.toHaveBeenCalled();
  },
);

test("shows the server's upload error at the field", async () => {
  upload.mockRejectedValue(apiError("unsupported", "This file holds something else beside the picture.", 415));
  show();
  choose("Upload a preview picture", file("x.png", "image/png"));
  expect(await screen.findByText(/holds something else/)).toBeTruthy();
  expect(toastTexts()).toContain("Failed to upload video. Please try again.");
});

test("reorders by arrow keys with an announcement, and restores a removed picture with Undo", async () => {
  show();
  const handle = screen.getByRole("button", { name: /Picture 1 of 3/ });
  fireEvent.keyDown(handle, { key: "ArrowDown" });
  expect(captions()).toEqual(["two", "one", "three"]);
  expect(screen.getByText("Picture moved to position 2 of 3.")).toBeTruthy();
  fireEvent.keyDown(handle, { key: "End" });
  expect(captions()).toEqual(["two", "three", "one"]);
  press("Remove picture 2");
  expect(captions()).toEqual(["two", "one"]);
  const undo = screen.getByRole("button", { name: "Undo" });
  expect(document.activeElement).toBe(undo);
  expect(undo.closest("li")?.previousElementSibling?.textContent).toContain("Alt text");
  press("Undo");
  expect(captions()).toEqual(["two", "three", "one"]);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Remove picture 2" }));
  expect(screen.getByText("Picture restored at position 2 of 3.")).toBeTruthy();
  press("Save Changes");
  await waitFor(() =>
    expect(saved().items.map(({ url }) => url)).toEqual(["two", "three", "one"].map((n) => picture(n).url)),
  );
});

test("adds several pictures together, with their texts", async () => {
  upload.mockImplementation((_kind: string, { name }: File) => Promise.resolve({ ...uploaded, url: `/up/${name}` }));
  show();
  choose("Add pictures", file("a.png", "image/png"), file("b.png", "image/png"));
  await waitFor(() => expect(screen.getAllByLabelText("Alt text (optional)")).toHaveLength(5));
  fireEvent.change(screen.getAllByLabelText("Alt text (optional)")[4] as HTMLElement, {
    target: { value: "A full house" },
  });
  press("Save Changes");
  await waitFor(() =>
    expect(saved().items.slice(3)).toEqual([
      { url: "/up/a.png", alt: "", caption: "" },
      { url: "/up/b.png", alt: "A full house", caption: "" },
    ]),
  );
});

test("restores the stored media on Cancel Changes, and reloads it", () => {
  show();
  const photo = within(screen.getByRole("heading", { name: "Photo" }).closest("section") as HTMLElement);
  fireEvent.click(photo.getByRole("button", { name: "Remove" }));
  expect(screen.getByText(/so we show your poster/)).toBeTruthy();
  expect(screen.getByText("1 change not saved: the photo.")).toBeTruthy();
  press("Cancel Changes");
  expect(screen.getByAltText("Current photo")).toBeTruthy();
  expect(refetch).toHaveBeenCalled();
});

/** Renders the page with a button that shows what the server has stored since. */
function showLive() {
  function Live() {
    const [, render] = useReducer((count: number) => count + 1, 0);
    return (
      <>
        <button onClick={render}>refresh</button>
        <ArtistMediaPage />
      </>
    );
  }
  renderInMantine(<Live />);
}
const typeCaption = (value: string) =>
  fireEvent.change(screen.getAllByLabelText("Caption (optional)")[0] as HTMLElement, { target: { value } });

test("keeps a picture that another tab saved, and asks before the older portfolio replaces it", async () => {
  showLive();
  typeCaption("mine");
  stored = { ...media, video_url: "https://vimeo.com/1", items: [...media.items, picture("four")], version: "v2" };
  press("refresh");
  press("Save Changes");
  expect(await screen.findByText(/Another tab or user changed the portfolio. Save again to replace it./)).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
  press("Save Changes");
  await waitFor(() => expect(saved()).toMatchObject({ video_url: "https://vimeo.com/1", version: "v2" }));
});

test("counts no AVIF file that the server made since as a change", async () => {
  const withImage = (avif: boolean): OwnMedia => ({
    ...media,
    items: media.items.map((item) => ({ ...item, image: { ...uploaded.image, avif } })),
  });
  stored = withImage(false);
  showLive();
  typeCaption("mine");
  stored = withImage(true);
  press("refresh");
  typeCaption("one");
  expect(screen.queryByText(/not saved/)).toBeNull();
  typeCaption("mine");
  press("Save Changes");
  await waitFor(() => expect(saved().items[0]).toMatchObject({ caption: "mine" }));
});

test("offers no Undo of a removed picture after Cancel Changes, and clears the rejected files", async () => {
  upload.mockRejectedValueOnce(apiError("unsupported", "This file holds something else beside the picture.", 415));
  show();
  choose("Add pictures", file("big.png", "image/png", 5_242_881), file("a.png", "image/png"), file("x.png", "", 0));
  const problems = await screen.findAllByText(/^(?:big|a|x)\.png: /);
  expect(problems.map(({ textContent }) => textContent?.split(":")[0])).toEqual(["big.png", "a.png", "x.png"]);
  await waitFor(() => expect(screen.getByLabelText("Add pictures")).toHaveProperty("disabled", false));
  press("Remove picture 2");
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  press("Cancel Changes");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(screen.queryByText(/^(?:big|a|x)\.png: /)).toBeNull();
  expect(captions()).toEqual(["one", "two", "three"]);
});

test("shows an invalid video address at its field with the focus, retains it, and sends nothing", async () => {
  show();
  type("Video URL", "ftp://x");
  press("Save Changes");
  const field = screen.getByLabelText<HTMLInputElement>("Video URL");
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(document.getElementById(field.getAttribute("aria-describedby")?.split(" ")[0] ?? "")?.textContent).toBe(
    "Enter an address that starts with https://, or the ID of a YouTube or Vimeo video.",
  );
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole("alert").textContent).toBe("Check the video.");
  expect(field.value).toBe("ftp://x");
  expect(save).not.toHaveBeenCalled();
});

test("shows a server error at its field with the focus, and the specification's text beside it", async () => {
  const message = "At most 500 characters.";
  save.mockRejectedValue(fieldError("video_url", message));
  show();
  type("Video URL", "https://video.example/long");
  press("Save Changes");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Video URL"));
  expect(screen.getByRole("alert").textContent).toBe("Check the video.");
  expect(toastTexts()).toContain("Failed to save media. Please try again.");
  expect(screen.getByLabelText("Video URL")).toHaveProperty("value", "https://video.example/long");
});

test("links to the profile if there is none yet, and offers Retry after a failure", () => {
  stored = { ...media, slug: null };
  show().unmount();
  [stored, error] = [undefined, apiError("unavailable", "The database cannot be reached.", 503)];
  show();
  press("Retry");
  expect(refetch).toHaveBeenCalled();
});

test("links to the setting instead of the public page while the page is hidden", () => {
  stored = { ...media, is_public: false };
  show();
  expect(screen.getByRole("link", { name: "Change this in your settings" })).toBeTruthy();
});
