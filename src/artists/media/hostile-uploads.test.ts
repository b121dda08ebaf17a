import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { maxUploadBytes } from "#platform/files/upload.rules.ts";
import { drawing, makeUploader } from "#test/factories/uploads.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
let uploader: Awaited<ReturnType<typeof makeUploader>>;
beforeAll(async () => {
  app = await testApp();
  uploader = await makeUploader(app);
});
afterAll(() => app.close());

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
  head[9] = 0;
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

async function hostileFiles(): Promise<[string, Buffer, string, number, RegExp][]> {
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
  return [
    ["an SVG", Buffer.from(svg), "image/svg+xml", 415, /not a JPEG, PNG, WebP or AVIF/],
    ["an SVG that says it is a PNG", Buffer.from(svg), "image/png", 415, /not a JPEG/],
    ["an SVG behind an XML head", Buffer.from(`<?xml version="1.0"?>${svg}`), "image/png", 415, /not a JPEG/],
    ["HTML that says it is a PNG", Buffer.from("<!doctype html><script>1</script>"), "image/png", 415, /not a JPEG/],
    ["plain text", Buffer.from("hello"), "image/jpeg", 415, /not a JPEG/],
    ["a GIF", gif, "image/gif", 415, /not a JPEG/],
    ["a GIF that is a script too", Buffer.from("GIF89a/*\0\0\0*/=1;alert(1)//"), "image/gif", 415, /not a JPEG/],
    ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj\n"), "image/jpeg", 415, /not a JPEG/],
    ["a ZIP archive", Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(40)]), "image/png", 415, /not a JPEG/],
    ["a TIFF", await drawing().tiff().toBuffer(), "image/tiff", 415, /not a JPEG/],
    ["a program", Buffer.from("7f454c46020101000000000000000000", "hex"), "image/png", 415, /not a JPEG/],
    ["a JPEG that says it is a PNG", jpeg, "image/png", 415, /sent as PNG, but it is a JPEG/],
    ["a PNG that says it is text", png, "text/html", 415, /sent as "text\/html", but it is a PNG/],
    ["a WebP that says it is an AVIF", webp, "image/avif", 415, /sent as AVIF, but it is a WebP/],
    ["an AVIF that says it is JSON", avif, "application/json", 415, /but it is a AVIF|but it is an AVIF/],
    ["a PNG followed by a script", Buffer.concat([png, script]), "image/png", 415, /more than a picture/],
    ["a PNG followed by anything", Buffer.concat([png, Buffer.alloc(64, 7)]), "image/png", 415, /more than a picture/],
    [
      "a JPEG followed by a page",
      Buffer.concat([jpeg, Buffer.from("<html><body>")]),
      "image/jpeg",
      415,
      /more than a picture/,
    ],
    ["a JPEG followed by an archive", Buffer.concat([jpeg, zipEnd]), "image/jpeg", 415, /more than a picture/],
    [
      "a WebP followed by PHP",
      Buffer.concat([webp, Buffer.from("<?php exit;")]),
      "image/webp",
      415,
      /more than a picture/,
    ],
    [
      "a WebP followed by anything",
      Buffer.concat([webp, Buffer.alloc(64, 7)]),
      "image/webp",
      415,
      /more than a picture/,
    ],
    ["an AVIF followed by an archive", Buffer.concat([avif, zipEnd]), "image/avif", 415, /more than a picture/],
    ["a JPEG with a PDF in its comment", withComment(jpeg, "%PDF-1.4 "), "image/jpeg", 415, /more than a picture/],
    [
      "a JPEG with a script in its comment",
      withComment(jpeg, "<SCRIPT src=//x>"),
      "image/jpeg",
      415,
      /more than a picture/,
    ],
    ["a bomb of 900 megapixels", pngBomb(30_000, 30_000), "image/png", 400, /900 megapixels: at most 40/],
    ["a bomb one pixel wide", pngBomb(1, 2_000_000_000), "image/png", 400, /megapixels|damaged/],
    ["half a JPEG", photo.subarray(0, photo.length / 2), "image/jpeg", 400, /damaged or incomplete/],
    ["half a PNG", halfPng, "image/png", 400, /damaged or incomplete/],
    ["half a WebP", halfWebp, "image/webp", 400, /damaged or incomplete/],
    ["half an AVIF", avif.subarray(0, avif.length - 30), "image/avif", 400, /damaged or incomplete/],
    ["only the head of a JPEG", jpeg.subarray(0, 200), "image/jpeg", 400, /damaged or incomplete/],
    ["nothing", Buffer.alloc(0), "image/png", 400, /empty/],
    [
      "one byte above 5 MB",
      Buffer.concat([png, Buffer.alloc(maxUploadBytes + 1 - png.length)]),
      "image/png",
      413,
      /larger than 5 MB/,
    ],
  ];
}

function withComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from("fffe", "hex"), length, Buffer.from(text), jpeg.subarray(2)]);
}

it("refuses an interlaced picture above 20 megapixels, which is decoded whole", async () => {
  const response = await uploader.upload(pngBomb(6_000, 4_000, true), "image/png");
  expect(response.status).toBe(400);
  expect(response.body.message).toBe(
    "This picture has 24 megapixels: at most 20 can be read of a progressive or interlaced one.",
  );
  expect((await uploader.stored()).rows).toEqual([]);
});

it("refuses files that are not plain pictures with a message, and stores nothing of them", async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThanOrEqual(30);
  for (const [what, body, type, status, message] of files) {
    const response = await uploader.upload(body, type);
    expect.soft([what, response.status, response.body.message]).toEqual([what, status, expect.stringMatching(message)]);
  }
  expect(await uploader.stored()).toEqual({ rows: [], files: [] });
});
