import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ArtistProfile } from "#artists/api.ts";
import { Portfolio } from "./portfolio.tsx";

const medium = (name: string, given: object = {}) => ({
  id: name,
  kind: "photo" as const,
  url: `/storage/artist-media/1f60ba92-0c2e-4d55-8f1e-6a2b3c4d5e6f/photo_${name}.webp`,
  alt: "",
  caption: "",
  image: { width: 1200, height: 800, thumbhash: "", avif: true },
  ...given,
});

function show(given: Partial<ArtistProfile> = {}) {
  const artist = {
    name: "Electric Dreams",
    video_url: null,
    media: [medium("1", { caption: "Spring tour" }), medium("2", { alt: "A stage in blue light" }), medium("3")],
    ...given,
  } as ArtistProfile;
  return render(<Portfolio artist={artist} />);
}

test("shows small pictures, as AVIF if available, and links to the large ones", () => {
  const { container } = show();
  expect(screen.getByText("Spring tour")).toBeTruthy();
  expect(container.querySelector("source")?.getAttribute("srcset")).toContain("photo_1_480.avif 480w");
  expect(screen.getByAltText("A stage in blue light").getAttribute("srcset")).toContain("photo_2_480.webp 480w");
  expect(screen.getByAltText("A stage in blue light").closest("a")?.getAttribute("href")).toContain("photo_2.webp");
});

test("opens a large picture, cycles by arrow keys, and returns the focus on close", () => {
  show();
  const link = screen.getByAltText("A stage in blue light").closest("a") as HTMLElement;
  link.focus();
  fireEvent.click(link);
  const dialog = screen.getByRole("dialog", { name: "Portfolio of Electric Dreams" });
  expect(dialog.textContent).toContain("Picture 2 of 3. A stage in blue light");
  fireEvent.keyDown(dialog, { key: "ArrowRight" });
  fireEvent.keyDown(dialog, { key: "ArrowRight" });
  expect(dialog.textContent).toContain("Picture 1 of 3. Spring tour");
  fireEvent.keyDown(dialog, { key: "ArrowLeft" });
  expect(dialog.textContent).toContain("Picture 3 of 3.");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(link);
});

test("leaves a click for a new tab to the browser", () => {
  show();
  const link = screen.getByAltText("A stage in blue light").closest("a") as HTMLElement;
  link.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(link, { ctrlKey: true });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("plays YouTube and Vimeo in a frame without cookies, and other videos in a new tab", () => {
  show({ video_url: "https://vimeo.com/76979871" }).unmount();
  show({ video_url: "https://youtu.be/dQw4w9WgXcQ" });
  fireEvent.click(screen.getByRole("link", { name: "Play Spring tour" }));
  expect(screen.getByTitle("Video of Electric Dreams").getAttribute("src")).toContain(
    "www.youtube-nocookie.com/embed/",
  );
  show({ video_url: "https://video.example/waterworks", media: [] });
  expect(screen.getByRole("link", { name: /View Video ?\(opens in a new tab\)/ }).getAttribute("target")).toBe(
    "_blank",
  );
});
