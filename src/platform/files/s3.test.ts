import { existsSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { s3Keys, s3Server } from "#test/harness/servers/s3-server.ts";
import { testApp } from "#test/test-app.ts";
import { ConfigError } from "../config.ts";
import { makeLog } from "../log.ts";
import { filesFolder } from "./adapters/disk.ts";
import { openStorage } from "./open-files.ts";

const s3 = closeAfterFile(await s3Server());
afterEach(() => {
  s3.objects.clear();
  s3.faults.cutsDownloads = s3.faults.hasNoBucket = false;
});

const given = () => ({ bucket: s3.bucket, region: s3.region, endpoint: s3.endpoint, ...s3Keys });
const open = (more: object = {}, installation = "ours") =>
  openStorage({ s3: { ...given(), ...more }, dataDir: "unused" }, installation);

test("writes, finds, reads, lists with its date, and removes a file", async () => {
  const files = await open();
  const before = Date.now() - 2_000;
  await files.put("artist-media/someone/photo_1.webp", Buffer.from("the picture"));
  expect(await files.has("artist-media/someone/photo_1.webp")).toBe(true);
  expect((await files.read("artist-media/someone/photo_1.webp"))?.toString()).toBe("the picture");
  const opened = await files.open("artist-media/someone/photo_1.webp");
  expect([opened?.bytes, opened && (await text(opened.stream))]).toEqual([11, "the picture"]);
  for (let number = 2; number <= 8; number++)
    await files.put(`artist-media/someone/photo_${number}.webp`, Buffer.from("x"));
  await files.put("artist-media-other/photo.webp", Buffer.from("x"));
  const pages: number[] = [];
  for await (const page of files.pages("artist-media")) pages.push(page.length);
  expect(pages).toEqual([3, 3, 2]);
  const listed = await files.list("artist-media");
  expect(listed.map(({ name }) => name)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `artist-media/someone/photo_${number}.webp`),
  );
  for (const { changedAt } of listed) expect(changedAt.getTime()).toBeGreaterThan(before);
  await files.remove("artist-media/someone/photo_1.webp");
  await files.remove("artist-media/someone/photo_1.webp");
  expect(await files.has("artist-media/someone/photo_1.webp")).toBe(false);
  expect(s3.refused).toEqual([]);
});

test("returns undefined for a missing file, and refuses a name that would leave the bucket", async () => {
  const files = await open();
  expect(await files.read("brand/none.png")).toBeUndefined();
  expect(await files.open("brand/none.png")).toBeUndefined();
  expect(await files.list("brand")).toEqual([]);
  await expect(files.put("../other/none.png", Buffer.from("x"))).rejects.toThrow(/key|path/i);
});

test("refuses to start in the bucket of another installation, and removes nothing there", async () => {
  const files = await open();
  await files.put("brand/logo.png", Buffer.from("ours"));
  await open({}, "ours");
  const error = await open({}, "theirs").catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toMatch(/contains the files of another installation.*separate bucket/);
  expect((await files.read("brand/logo.png"))?.toString()).toBe("ours");
  // The new installation replaces the other: the operator deletes the mark.
  await files.remove("installation");
  await open({}, "theirs");
  await expect(open({}, "ours")).rejects.toThrow("another installation");
});

test.each([
  ["another key", { secretAccessKey: "not-the-one" }, /are not accepted/],
  ["an unknown key", { accessKeyId: "AKIANOBODY" }, /are not accepted/],
  ["no such bucket", { bucket: "another-bucket" }, /there is no such bucket/],
  ["nobody at the address", { endpoint: "http://127.0.0.1:9" }, /the connection was refused/],
])("ends the start for %s with a line that names no key", async (_what, wrong, why) => {
  const error = await open(wrong).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toMatch(why);
  expect(String(error)).not.toMatch(/not-the-one|AKIA|a-secret/);
});

test("throws if the service is unreachable, instead of reporting a file as missing", async () => {
  const away = await s3Server();
  const files = await open({ endpoint: away.endpoint });
  await away.close();
  await expect(files.read("brand/logo.png")).rejects.toThrow(/read|refused|brand/i);
  await expect(files.list("brand")).rejects.toThrow(/refused|ECONN|socket/i);
});

test("stores an artist's upload in the bucket only, serves it under its address, and deletes it with the picture", async () => {
  const lines: string[] = [];
  await using app = await testApp({
    log: makeLog("error", { write: (line) => void lines.push(line) }),
    env: {
      S3_BUCKET: s3.bucket,
      S3_REGION: s3.region,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
  });
  const headers = await app.signIn(await app.make.user({ role: "artist" }));
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: { r: 200, g: 60, b: 40 } } });
  const response = await app.server.inject({
    method: "POST",
    url: "/api/artist/media/photo",
    headers: { ...headers, "content-type": "image/png" },
    payload: await picture.png().toBuffer(),
  });
  expect(response.statusCode).toBe(201);
  const { url } = response.json<{ url: string }>();
  expect([...s3.objects.keys()]).toContain(url.replace("/storage/", ""));
  const folder = filesFolder(app.dataDir);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  const served = await app.request(url);
  expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect(served.headers.get("cache-control")).toContain("immutable");
  expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(60);
  // The whole file is read before it is sent: a slow recipient does not hold a connection to the bucket.
  for (const fault of ["cutsDownloads", "hasNoBucket"] as const) {
    s3.faults[fault] = true;
    for (const address of [url, "/storage/brand/logo_1700000000000_0123abcd.png"]) {
      const { status, headers } = await app.request(address);
      const isLeft = fault === "cutsDownloads" && address !== url;
      expect([address, status, headers.get("cache-control"), headers.get("retry-after")]).toEqual(
        isLeft ? [address, 404, null, null] : [address, 503, "no-store", "5"],
      );
    }
  }
  const logo = await app.server.inject({
    method: "POST",
    url: "/api/admin/settings/logo",
    headers: { ...(await app.signIn(await app.make.user({ role: "admin" }))), "content-type": "image/png" },
    payload: await picture.png().toBuffer(),
  });
  expect(logo.statusCode).toBe(503);
  expect(lines.filter((line) => line.includes("the file storage failed"))).toHaveLength(4);
});
