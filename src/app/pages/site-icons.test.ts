import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

const png = [0x89, 0x50, 0x4e, 0x47];
const bytesOf = async (address: string) => {
  const response = await app.request(address);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

test("serves the icons of the manifest in their declared size", async () => {
  const manifest = JSON.parse(String(await bytesOf("/manifest.webmanifest"))) as {
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.icons).toHaveLength(2);
  for (const { src, sizes } of manifest.icons) {
    const icon = await bytesOf(src);
    expect([...icon.subarray(0, 4)]).toEqual(png);
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
  }
  expect((await bytesOf("/apple-touch-icon.png")).readUInt32BE(16)).toBe(180);
});

test("serves the favicon as an ICO file whose picture begins at the declared offset", async () => {
  const icon = await bytesOf("/favicon.ico");
  expect([icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([1, 1]);
  const start = icon.readUInt32LE(18);
  expect([...icon.subarray(start, start + 4)]).toEqual(png);
  expect(start + icon.readUInt32LE(14)).toBe(icon.length);
});
