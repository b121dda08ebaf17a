import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeAvif } from "#platform/files/pictures.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { drawing, makeUploader } from "#test/factories/uploads.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const uploader = await makeUploader(app);
const port = Number(new URL(await app.server.listen({ port: 0, host: "127.0.0.1" })).port);

const headOf = (authorization: string, length: string) =>
  `POST /api/artist/media/photo HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: ${authorization}\r\n` +
  `content-type: image/png\r\n${length}\r\n\r\n`;

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
    expect((await uploader.upload(await drawing().png().toBuffer(), "image/png", "contract")).status).toBe(404);
  });

  it("ends at 50 stored pictures per account", async () => {
    const { userId, upload } = await makeUploader(app);
    const row = { user_id: userId, kind: "photo" as const, bytes: 1, width: 1, height: 1, thumbhash: "" };
    const many = Array.from({ length: 50 }, (_, n) => ({ ...row, name: `${userId}/photo_${n}.webp` }));
    await app.database.db.insertInto("artist_files").values(many).execute();
    const refused = await upload(await drawing().png().toBuffer(), "image/png");
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("50 pictures") } });
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
      socket.write(headOf(uploader.headers.authorization, lengthHeader));
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
    expect(await uploader.stored()).toEqual({ rows: [], files: [] });
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
    const { status, body } = await uploader.upload(camera, "image/jpeg");
    expect(status).toBe(201);
    expect(body.url).toMatch(new RegExp(`^/storage/artist-media/${uploader.userId}/photo_\\d+\\.webp$`));
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
    expect((await uploader.upload(bytes, `image/${format}`)).status).toBe(201);
    expect((await uploader.upload(bytes, "application/octet-stream", "video")).body.url).toContain("/video_");
  });

  it("gets a different name for each of several concurrent uploads", async () => {
    const png = await drawing().png().toBuffer();
    const three = await Promise.all([1, 2, 3].map(() => uploader.upload(png, "image/png")));
    expect(new Set(three.map(({ body }) => body.url)).size).toBe(3);
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
    expect([400, 404]).toContain((await app.request(`/storage/artist-media/${uploader.userId}/${file}`)).status);
  });
});

it("gives the place in the queue of an upload whose sender has left to the next one of the account", async () => {
  const { headers, upload } = await makeUploader(app);
  const png = await drawing().png().toBuffer();
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const size = { width: 1_600, height: 1_600, channels: 3 } as const;
  const large = await sharp({ create: { ...size, background: "black", noise } })
    .webp()
    .toBuffer();
  // The queue is busy for seconds.
  let isBusy = true;
  const busy = Promise.all([encodeAvif(large), encodeAvif(large), encodeAvif(large)]).then(() => (isBusy = false));
  const arrived = once(app.server.server, "request") as Promise<[IncomingMessage]>;
  const sender = connect(port, "127.0.0.1");
  sender.write(headOf(headers.authorization, `content-length: ${png.length}`));
  sender.write(png);
  const [request] = await arrived;
  await once(request, "end");
  // It has been read and waits.
  expect((await upload(png, "image/png")).status).toBe(429);
  const left = once(request.socket, "close");
  sender.destroy();
  await left;
  await new Promise(setImmediate);
  expect(isBusy).toBe(true);
  expect((await upload(png, "image/png")).status).toBe(201);
  await busy;
});
