import { expect, test } from "vitest";
import { addressOfFile, fileName, filesOf, pictureOfAddress, pictureOfFile, pictureSources } from "./media.rules.ts";
import { isWebAddress, videoAddress, videoEmbedAddress } from "./media/video.rules.ts";

const owner = "1f60ba92-0c2e-4d55-8f1e-6a2b3c4d5e6f";
const name = fileName(owner, "photo", "1763733000000");

test("has the path of the specification, and every file leads to its picture", () => {
  expect(name).toBe(`${owner}/photo_1763733000000.webp`);
  for (const file of Object.values(filesOf(name))) expect(pictureOfFile(file)?.picture).toBe(name);
  expect(pictureOfFile(filesOf(name).smallAvif)?.type).toBe("image/avif");
  expect(pictureOfAddress(addressOfFile(name))).toBe(name);
});

test.each([
  `${owner}/photo_1.svg`,
  `${owner}/photo_1.webp.html`,
  `${owner}/../photo_1.webp`,
  `../${owner}/photo_1.webp`,
  `${owner}/poster_1.webp`,
  `${owner}/photo_.webp`,
  `${owner.toUpperCase()}/photo_1.webp`,
  "photo_1.webp",
  "",
])("returns undefined for %s", (file) => {
  expect(pictureOfFile(file)).toBeUndefined();
  expect(pictureOfAddress(addressOfFile(file))).toBeUndefined();
});

test("offers an uploaded picture small and large, with AVIF only if it exists, and a drawn one as it is", () => {
  const image = { width: 1200, height: 800, thumbhash: "", avif: false };
  const address = addressOfFile(name);
  const sources = pictureSources(address, image);
  expect(sources).toEqual({
    src: address,
    srcSet: `${address.replace(".webp", "_480.webp")} 480w, ${address} 1200w`,
    width: 1200,
    height: 800,
  });
  expect(pictureSources(address, { ...image, avif: true }).avifSrcSet).toContain("_480.avif 480w");
  expect(pictureSources(address, { ...image, width: 300 }).srcSet).toBe(`${address} 300w`);
  expect(pictureSources("/art/x/poster.svg?v=1", null)).toEqual({ src: "/art/x/poster.svg?v=1" });
});

test("accepts a video by its address or by its YouTube or Vimeo id", () => {
  expect(videoAddress("dQw4w9WgXcQ")).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
  expect(videoAddress("76979871")).toBe("https://vimeo.com/76979871");
  expect(videoAddress("https://video.example/waterworks")).toBe("https://video.example/waterworks");
  for (const wrong of ["http://video.example/x", "javascript:alert(1)", "https://a:b@video.example", "video", ""])
    expect(videoAddress(wrong), wrong).toBeUndefined();
  expect(isWebAddress(`https://video.example/${"x".repeat(500)}`)).toBe(false);
  for (const user of ["sam", "sam:secret", ":secret"])
    expect(isWebAddress(`https://${user}@video.example/`)).toBe(false);
});

test("embeds only YouTube and Vimeo", () => {
  const youtube = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1";
  for (const address of [
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://youtu.be/dQw4w9WgXcQ",
    "https://m.youtube.com/shorts/dQw4w9WgXcQ",
  ])
    expect(videoEmbedAddress(address)).toBe(youtube);
  expect(videoEmbedAddress("https://vimeo.com/76979871")).toContain("player.vimeo.com/video/76979871");
  for (const other of ["https://video.example/watch?v=dQw4w9WgXcQ", "https://vimeo.com/about", "nonsense"])
    expect(videoEmbedAddress(other), other).toBeUndefined();
});
