import { utimesSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { maxUploadBytes } from "#platform/files/upload.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { settingsJobs } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ env: { PUBLIC_URL: "https://stagedoor.example", DEMO: "0" } }));
const headers = await app.signIn(await app.make.user({ role: "admin" }));

type Answer = { url: string; width: number; height: number; message: string };
type Document = { values: { logoUrl: string }; version: number; message?: string };

const picture = (width = 1_800, height = 300) =>
  sharp({ create: { width, height, channels: 4, background: { r: 90, g: 40, b: 200, alpha: 0.5 } } });

async function upload(body: Buffer, type: string, who: Record<string, string> = headers) {
  const response = await app.server.inject({
    method: "POST",
    url: "/api/admin/settings/logo",
    headers: { ...who, "content-type": type },
    payload: body,
  });
  return { status: response.statusCode, body: response.json<Answer>() };
}

async function save(logoUrl: string) {
  const read = await app.request("/api/admin/settings", { headers });
  const { version } = (await read.json()) as Document;
  const response = await app.request("/api/admin/settings", {
    method: "PATCH",
    headers,
    body: { values: { logoUrl }, version },
  });
  const body = (await response.json()) as Document;
  await app.settle();
  return { status: response.status, body };
}

const kept = async () => (await app.services.files.list("brand")).map(({ name }) => name);
const fileOf = (url: string) => new URL(url).pathname.replace("/storage/", "");

test("re-encodes an uploaded logo, uses it in the header and in emails once saved, and removes the former one", async () => {
  const source = await picture()
    .withExif({ IFD0: { Artist: "somebody" } })
    .jpeg()
    .toBuffer();
  const { status, body } = await upload(source, "image/jpeg");
  expect([status, body.width, body.height]).toEqual([201, 900, 150]);
  expect(body.url).toMatch(/^https:\/\/stagedoor\.example\/storage\/brand\/logo_\d+_[0-9a-f]{8}\.png$/);
  const served = await app.request(new URL(body.url).pathname);
  expect(served.headers.get("content-type")).toBe("image/png");
  expect(served.headers.get("content-security-policy")).toContain("sandbox");
  const found = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
  expect([found.format, found.width, found.exif]).toEqual(["png", 900, undefined]);

  expect((await save(body.url)).status).toBe(200);
  expect(await (await app.request("/api/settings/public")).json()).toMatchObject({ logoUrl: body.url });
  await app.request("/auth/v1/recover", {
    body: { email: (await app.make.user({ role: "promoter" })).email },
  });
  const { html } = await app.database.db
    .selectFrom("messages")
    .select("html")
    .where("template", "=", "recovery")
    .executeTakeFirstOrThrow();
  expect(html).toContain(`src="${body.url}"`);

  const second = await upload(await picture(200, 200).png().toBuffer(), "image/png");
  expect([second.body.width, second.body.height]).toEqual([200, 200]);
  expect((await kept()).toSorted()).toEqual([fileOf(body.url), fileOf(second.body.url)].toSorted());
  await save(second.body.url);
  expect(await kept()).toEqual([fileOf(second.body.url)]);
  expect((await app.request(new URL(body.url).pathname)).status).toBe(404);
  await save("");
  expect(await kept()).toEqual([]);
  const gone = await save(second.body.url);
  expect([gone.status, gone.body.message]).toEqual([400, expect.stringMatching(/Upload it again/)]);
  expect((await save("https://elsewhere.example/logo.png")).status).toBe(200);
});

test("refuses anything but a plain picture with a message, and stores none of it", async () => {
  const png = await picture(60, 40).png().toBuffer();
  const jpeg = await picture(60, 40).flatten().jpeg().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const files: [string, Buffer, string, number, RegExp][] = [
    ["an SVG", svg, "image/svg+xml", 415, /not a JPEG, PNG, WebP or AVIF/],
    ["an SVG that says it is a PNG", svg, "image/png", 415, /not a JPEG/],
    ["a JPEG that says it is a PNG", jpeg, "image/png", 415, /sent as PNG, but it is a JPEG/],
    [
      "a PNG followed by a script",
      Buffer.concat([png, Buffer.from("<script>")]),
      "image/png",
      415,
      /more than a picture/,
    ],
    ["half a PNG", png.subarray(0, png.length - 30), "image/png", 400, /damaged or incomplete/],
    ["nothing", Buffer.alloc(0), "image/png", 400, /empty/],
    [
      "one byte above 5 MB",
      Buffer.concat([png, Buffer.alloc(maxUploadBytes + 1 - png.length)]),
      "image/png",
      413,
      /larger than 5 MB/,
    ],
  ];
  const before = await kept();
  for (const [what, body, type, status, message] of files) {
    const response = await upload(body, type);
    expect.soft([what, response.status, response.body.message]).toEqual([what, status, expect.stringMatching(message)]);
  }
  expect(await kept()).toEqual(before);
});

test("lets only admins upload, and serves no other name of the bucket", async () => {
  const png = await picture(60, 40).png().toBuffer();
  const statuses = [(await upload(png, "image/png", {})).status];
  for (const role of ["promoter", "artist"] as const)
    statuses.push((await upload(png, "image/png", await app.signIn(await app.make.user({ role })))).status);
  expect(statuses).toEqual([401, 403, 403]);
  await app.services.files.put("brand/secret.txt", Buffer.from("x"));
  for (const name of ["secret.txt", "..%2Fartist-media", "logo_1_00000000.png"])
    expect((await app.request(`/storage/brand/${name}`)).status).toBe(404);
  await app.services.files.remove("brand/secret.txt");
});

test("removes an unsaved upload after a day, but not the logo in use", async () => {
  const png = await picture(60, 40).png().toBuffer();
  const shown = (await upload(png, "image/png")).body.url;
  const forgotten = (await upload(png, "image/png")).body.url;
  const fresh = (await upload(png, "image/png")).body.url;
  await save(shown);
  const longAgo = new Date(Date.now() - 2 * dayMs);
  for (const url of [shown, forgotten]) utimesSync(path.join(filesFolder(app.dataDir), fileOf(url)), longAgo, longAgo);
  await settingsJobs.find(({ name }) => name === "sweep-logos")?.run(app.services);
  expect((await kept()).toSorted()).toEqual([fileOf(shown), fileOf(fresh)].toSorted());
});

test("accesses the storage outside transactions, and stays consistent if it fails", async () => {
  const png = await picture(60, 40).png().toBuffer();
  const [first, second, third] = [
    await upload(png, "image/png"),
    await upload(png, "image/png"),
    await upload(png, "image/png"),
  ];
  await save(first.body.url);
  const { files } = app.services;
  const { has, remove } = files;
  const calls: string[] = [];
  const note = async (call: string) => {
    await app.database.db.selectFrom("settings").select("scope").limit(1).execute();
    calls.push(call);
  };
  const away = async () => {
    await note("away");
    throw new Error("the bucket does not answer");
  };
  try {
    Object.assign(files, { has: (name: string) => note("has").then(() => has(name)), remove: away });
    expect((await save(second.body.url)).status).toBe(200);
    expect(calls).toEqual(["has", "away"]);
    const { body: before } = await save(second.body.url);
    Object.assign(files, { has: away });
    expect((await save(third.body.url)).status).toBe(503);
    expect((await save(second.body.url)).body).toMatchObject({ version: before.version + 1 });
  } finally {
    Object.assign(files, { has, remove });
  }
  expect(await kept()).toContain(fileOf(first.body.url));
  const longAgo = new Date(Date.now() - 2 * dayMs);
  for (const { body } of [first, second, third])
    utimesSync(path.join(filesFolder(app.dataDir), fileOf(body.url)), longAgo, longAgo);
  await settingsJobs.find(({ name }) => name === "sweep-logos")?.run(app.services);
  expect(await kept()).toContain(fileOf(second.body.url));
  for (const { body } of [first, third]) expect(await kept()).not.toContain(fileOf(body.url));
});
