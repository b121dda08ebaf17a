import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { maxUploadBytes } from "#platform/files/upload.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { drawing, makeUploader } from "#test/factories/uploads.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const uploader = await makeUploader(app);

/** A PNG whose header declares a larger picture than its bytes have. */
function pngBomb(width: number, height: number, interlaced = false): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[12] = interlaced ? 1 : 0;
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(100_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const zipEnd = Buffer.concat([Buffer.from("PK\u0005\u0006", "latin1"), Buffer.alloc(18)]);

async function hostileFiles(): Promise<[number, RegExp, string, string, Buffer | string][]> {
  const [png, jpeg, webp, avif] = await Promise.all([
    drawing().png().toBuffer(),
    drawing(400, 300).jpeg().toBuffer(),
    drawing().webp().toBuffer(),
    drawing().avif().toBuffer(),
  ]);
  const noise = Buffer.from(Array.from({ length: 600 * 400 * 3 }, (_, n) => (n * 2_654_435_761) >>> 24));
  const noisy = () => sharp(noise, { raw: { width: 600, height: 400, channels: 3 } });
  const photo = await noisy().jpeg({ quality: 90 }).toBuffer();
  const [halfPng, halfWebp] = [await noisy().png().toBuffer(), await noisy().webp().toBuffer()].map((bytes) =>
    bytes.subarray(0, 9_000),
  ) as [Buffer, Buffer];
  const script = Buffer.from("<script>alert(document.domain)</script>");
  const after = (picture: Buffer, more: Buffer | string) => Buffer.concat([picture, Buffer.from(more)]);
  const anything = Buffer.alloc(64, 7);
  const tooLarge = Buffer.concat([png, Buffer.alloc(maxUploadBytes + 1 - png.length)]);
  return [
    [415, /not a JPEG, PNG, WebP or AVIF/, "image/svg+xml", "an SVG", svg],
    [415, /not a JPEG/, "image/png", "an SVG that says it is a PNG", svg],
    [415, /not a JPEG/, "image/png", "an SVG behind an XML head", `<?xml version="1.0"?>${svg}`],
    [415, /not a JPEG/, "image/png", "HTML that says it is a PNG", "<!doctype html><script>1</script>"],
    [415, /not a JPEG/, "image/jpeg", "plain text", "hello"],
    [415, /not a JPEG/, "image/gif", "a GIF", gif],
    [415, /not a JPEG/, "image/gif", "a GIF that is a script too", "GIF89a/*\0\0\0*/=1;alert(1)//"],
    [415, /not a JPEG/, "image/jpeg", "a PDF", "%PDF-1.7\n1 0 obj\n"],
    [415, /not a JPEG/, "image/png", "a ZIP archive", after(Buffer.from("PK\u0003\u0004"), Buffer.alloc(40))],
    [415, /not a JPEG/, "image/tiff", "a TIFF", await drawing().tiff().toBuffer()],
    [415, /not a JPEG/, "image/png", "a program", Buffer.from("7f454c46020101000000000000000000", "hex")],
    [415, /sent as PNG, but it is a JPEG/, "image/png", "a JPEG that says it is a PNG", jpeg],
    [415, /sent as "text\/html", but it is a PNG/, "text/html", "a PNG that says it is text", png],
    [415, /sent as AVIF, but it is a WebP/, "image/avif", "a WebP that says it is an AVIF", webp],
    [415, /but it is a AVIF|but it is an AVIF/, "application/json", "an AVIF that says it is JSON", avif],
    [415, moreThanAPicture, "image/png", "a PNG followed by a script", after(png, script)],
    [415, moreThanAPicture, "image/png", "a PNG followed by anything", after(png, anything)],
    [415, moreThanAPicture, "image/jpeg", "a JPEG followed by a page", after(jpeg, "<html><body>")],
    [415, moreThanAPicture, "image/jpeg", "a JPEG followed by an archive", after(jpeg, zipEnd)],
    [415, moreThanAPicture, "image/webp", "a WebP followed by PHP", after(webp, "<?php exit;")],
    [415, moreThanAPicture, "image/webp", "a WebP followed by anything", after(webp, anything)],
    [415, moreThanAPicture, "image/avif", "an AVIF followed by an archive", after(avif, zipEnd)],
    [415, moreThanAPicture, "image/jpeg", "a JPEG with a PDF in its comment", withComment(jpeg, "%PDF-1.4 ")],
    [415, moreThanAPicture, "image/jpeg", "a JPEG with a script in its comment", withComment(jpeg, "<SCRIPT src=//x>")],
    [400, /900 megapixels: at most 40/, "image/png", "a bomb of 900 megapixels", pngBomb(30_000, 30_000)],
    [400, /megapixels|damaged/, "image/png", "a bomb one pixel wide", pngBomb(1, 2_000_000_000)],
    [400, interlaced, "image/png", "an interlaced picture of 24 megapixels", pngBomb(6_000, 4_000, true)],
    [400, /damaged or incomplete/, "image/jpeg", "half a JPEG", photo.subarray(0, photo.length / 2)],
    [400, /damaged or incomplete/, "image/png", "half a PNG", halfPng],
    [400, /damaged or incomplete/, "image/webp", "half a WebP", halfWebp],
    [400, /damaged or incomplete/, "image/avif", "half an AVIF", avif.subarray(0, avif.length - 30)],
    [400, /damaged or incomplete/, "image/jpeg", "only the head of a JPEG", jpeg.subarray(0, 200)],
    [400, /empty/, "image/png", "nothing", ""],
    [413, /larger than 5 MB/, "image/png", "one byte above 5 MB", tooLarge],
  ];
}

const moreThanAPicture = /more than a picture/;
/** An interlaced picture is decoded whole. */
const interlaced = /^This picture has 24 megapixels: at most 20 can be read of a progressive or interlaced one\.$/;

function withComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from("fffe", "hex"), length, Buffer.from(text), jpeg.subarray(2)]);
}

it("refuses files that are not plain pictures with a message, and stores nothing of them", async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThanOrEqual(30);
  for (const [status, message, type, what, body] of files) {
    const response = await uploader.upload(Buffer.from(body), type);
    expect.soft([what, response.status, response.body.message]).toEqual([what, status, expect.stringMatching(message)]);
  }
  expect(await uploader.stored()).toEqual({ rows: [], files: [] });
});
