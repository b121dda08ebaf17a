import { connect } from "node:net";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxUploadBytes } from "#platform/files/upload.rules.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import type { UploadedPicture } from "./api.ts";

let app: TestApp;
let headers: { authorization: string };
let userId: string;
let port: number;
beforeAll(async () => {
  app = await testApp();
  const user = await app.make.user({ role: "artist" });
  userId = user.id;
  headers = await app.signIn(user);
  await app.server.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => app.close());

const drawing = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 40 } } });

async function upload(body: Buffer, type: string, kind = "photo", more: Record<string, string> = {}) {
  const response = await app.server.inject({
    method: "POST",
    url: `/api/artist/media/${kind}`,
    headers: { ...headers, "content-type": type, ...more },
    payload: body,
  });
  return { status: response.statusCode, body: response.json<UploadedPicture & { message: string }>() };
}

async function stored() {
  const rows = await app.database.db.selectFrom("artist_files").select("name").where("user_id", "=", userId).execute();
  const files = await app.services.files.list(`artist-media/${userId}`);
  return { rows: rows.map(({ name }) => name), files: files.map(({ name }) => name).sort() };
}

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

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
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
  const photo = await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
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
    [
      "half a PNG",
      (
        await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
          .png()
          .toBuffer()
      ).subarray(0, 9_000),
      "image/png",
      400,
      /damaged or incomplete/,
    ],
    [
      "half a WebP",
      (
        await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
          .webp()
          .toBuffer()
      ).subarray(0, 9_000),
      "image/webp",
      400,
      /damaged or incomplete/,
    ],
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
  const response = await upload(pngBomb(6_000, 4_000, true), "image/png");
  expect(response.status).toBe(400);
  expect(response.body.message).toBe(
    "This picture has 24 megapixels: at most 20 can be read of a progressive or interlaced one.",
  );
  expect((await stored()).rows).toEqual([]);
});

it("refuses files that are not plain pictures with a message, and stores nothing of them", async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThanOrEqual(30);
  for (const [what, body, type, status, message] of files) {
    const response = await upload(body, type);
    expect.soft([what, response.status, response.body.message]).toEqual([what, status, expect.stringMatching(message)]);
  }
  expect(await stored()).toEqual({ rows: [], files: [] });
});

describe("permission to upload", () => {
  it("requires an artist's account", async () => {
    const png = await drawing().png().toBuffer();
    const answers = [];
    for (const role of [undefined, "promoter", "admin"] as const) {
      const who = role ? await app.signIn(await app.make.user({ role })) : {};
      const response = await app.server.inject({
        method: "POST",
        url: "/api/artist/media/photo",
        headers: { ...who, "content-type": "image/png" },
        payload: png,
      });
      answers.push([response.statusCode, response.json<{ code: string }>().code]);
    }
    expect(answers).toEqual([
      [401, "session_missing"],
      [403, "forbidden"],
      [403, "forbidden"],
    ]);
    expect(await app.services.files.list("artist-media")).toEqual([]);
  });

  it("is limited to a photo or the poster of a video", async () => {
    expect((await upload(await drawing().png().toBuffer(), "image/png", "contract")).status).toBe(404);
  });

  it("ends at 50 stored pictures per account", async () => {
    const other = await app.make.user({ role: "artist" });
    const many = Array.from({ length: 50 }, (_, n) => ({
      name: `${other.id}/photo_${n}.webp`,
      user_id: other.id,
      kind: "photo",
      bytes: 1,
      width: 1,
      height: 1,
      thumbhash: "",
    }));
    await app.database.transaction((tx) => tx.insertInto("artist_files").values(many).execute());
    const response = await app.server.inject({
      method: "POST",
      url: "/api/artist/media/photo",
      headers: { ...(await app.signIn(other)), "content-type": "image/png" },
      payload: await drawing().png().toBuffer(),
    });
    expect([response.statusCode, response.json<{ message: string }>().message]).toEqual([
      409,
      expect.stringContaining("50 pictures"),
    ]);
  });
});

describe("upload requests", () => {
  /** Sends the head of an upload and then pieces of a body. Returns what was received until the connection ended. */
  const send = (length: number | "chunked", pieces: readonly Buffer[], hangUp: boolean) =>
    new Promise<{ response: string; sent: number }>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      let response = "";
      let sent = 0;
      socket.on("error", () => undefined);
      socket.on("data", (part) => (response += part.toString("latin1")));
      socket.on("close", () => resolve({ response, sent }));
      const lengthHeader = length === "chunked" ? "transfer-encoding: chunked" : `content-length: ${length}`;
      socket.write(
        `POST /api/artist/media/photo HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: ${headers.authorization}\r\ncontent-type: image/png\r\n${lengthHeader}\r\n\r\n`,
      );
      void (async () => {
        for (const piece of pieces) {
          if (socket.destroyed) break;
          const framed =
            length === "chunked"
              ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")])
              : piece;
          await new Promise((done) => socket.write(framed, done));
          sent += piece.length;
          await new Promise((done) => setTimeout(done, 2));
        }
        if (hangUp) socket.destroy();
      })();
    });

  it("refuses a body with too large a content length before reading it", async () => {
    const { response, sent } = await send(50_000_000, [Buffer.alloc(10)], false);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain("larger than 5 MB");
    expect(sent).toBeLessThan(100_000);
  });

  it("ends the connection soon after 5 MB of a body without length", async () => {
    const piece = Buffer.alloc(100_000);
    const { response, sent } = await send(
      "chunked",
      Array.from({ length: 120 }, () => piece),
      true,
    );
    // A client that is still sending when the connection ends may lose the response, as TCP allows. Browsers send the
    // length.
    if (response !== "") expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(12_000_000);
  });

  it("stores nothing of an upload that stops in the middle", async () => {
    const png = await drawing(500, 500).png().toBuffer();
    await send(png.length, [png.subarray(0, png.length - 20)], true);
    await new Promise((done) => setTimeout(done, 100));
    expect(await stored()).toEqual({ rows: [], files: [] });
  });
});

describe("picture", () => {
  it("is turned upright, scaled down, encoded again without its metadata, and served inert for a year", async () => {
    const camera = await drawing(3000, 2000)
      .withExif({ IFD0: { Copyright: "secret-owner" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(camera.toString("latin1")).toContain("secret-owner");
    const { status, body } = await upload(camera, "image/jpeg");
    expect(status).toBe(201);
    expect(body.url).toMatch(new RegExp(`^/storage/artist-media/${userId}/photo_\\d+\\.webp$`));
    expect(body.image).toMatchObject({ width: 1067, height: 1600, avif: false });
    expect(Buffer.from(body.image.thumbhash, "base64").length).toBeGreaterThan(4);
    for (const address of [body.url, body.url.replace(".webp", "_480.webp")]) {
      const response = await app.request(address);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "image/webp",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const meta = await sharp(bytes).metadata();
      expect([meta.format, meta.exif, meta.icc, meta.xmp]).toEqual(["webp", undefined, undefined, undefined]);
      expect(bytes.toString("latin1")).not.toContain("secret-owner");
    }
  });

  it.each(["png", "webp", "avif"] as const)("may be %s, even without a type in its request", async (format) => {
    const bytes = await drawing()[format]().toBuffer();
    expect((await upload(bytes, `image/${format}`)).status).toBe(201);
    expect((await upload(bytes, "application/octet-stream", "video")).body.url).toContain("/video_");
  });

  it("gets a different name for each of several concurrent uploads", async () => {
    const png = await drawing().png().toBuffer();
    const both = await Promise.all([upload(png, "image/png"), upload(png, "image/png"), upload(png, "image/png")]);
    expect(new Set(both.map(({ body }) => body.url)).size).toBe(3);
  });

  it.each([
    "../../secrets.key",
    "%2e%2e/secrets.key",
    "..%2f..%2fsecrets.key",
    "photo_1.webp",
    "photo_1.svg",
    "photo_999999.webp",
    "photo_1.webp%00.html",
    "",
  ])("returns 400 or 404 for %j", async (file) => {
    expect([400, 404]).toContain((await app.request(`/storage/artist-media/${userId}/${file}`)).status);
  });
});
