import { utimes } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makeRecording } from "#test/factories/recordings.ts";
import { makeUploader } from "#test/factories/uploads.ts";
import { testApp } from "#test/test-app.ts";
import type { ArtistProfile, ListedArtist } from "../api.ts";
import { sweepFiles } from "./files.ts";
import type { OwnSample } from "./samples.api.ts";
import { insertSample } from "./samples.store.ts";
import { releaseFilesOf } from "./store.ts";

const app = closeAfterFile(await testApp());
let me: Awaited<ReturnType<typeof artist>>;
const mp3 = await makeRecording("mp3");
beforeEach(async () => {
  me = await artist();
});

type Answer = { items: OwnSample[]; message: string };

async function artist() {
  const { user, headers, call: request } = await makeUploader(app);
  const row = await app.make.artist({ userId: user.id });
  const upload = async (payload: Buffer, { title = "Tune", more = "", replaces = "" } = {}) => {
    const response = await app.server.inject({
      method: "POST",
      url: `/api/artist/samples${replaces && `/${replaces}`}?title=${encodeURIComponent(title)}${more}`,
      headers: { ...headers, "content-type": "application/octet-stream" },
      payload,
    });
    return { status: response.statusCode, body: response.json<Answer>() };
  };
  const call = (method: string, address: string, body?: object) => request<Answer>(method, address, body);
  return { ...user, row, upload, call };
}

const titles = ({ body }: { body: Answer }) => body.items.map(({ title }) => title);
const filesOf = async (artistId: string) =>
  (await app.services.files.list(`artist-media/${artistId}`)).map(({ name }) => `/storage/${name}`);
const addSample = (artistId: string, position: number) =>
  app.database.transaction((tx) => {
    const file = { mp3: new Uint8Array(1), seconds: 4, loudness: -14, gain: 0, bars: "0".repeat(96) };
    const name = `${artistId}/sample_${position}.mp3`;
    return insertSample(tx, { artistId, name, title: "Tune", sample: file, position, now: app.clock.now() });
  });

test("stores a sample, shows it on card and profile, and serves ranges of it", async () => {
  const { status, body } = await me.upload(mp3, { title: "Midnight Signal" });
  expect(status).toBe(201);
  const [sample] = body.items;
  expect(sample).toMatchObject({
    title: "Midnight Signal",
    url: expect.stringMatching(`/${me.row.id}/sample_\\d+.mp3$`),
  });
  const { loudness, gain, ...shown } = sample as OwnSample;
  expect(loudness + gain).toBeCloseTo(-14, 1);
  const profile = (await (await app.request(`/api/artists/${me.row.slug}`)).json()) as ArtistProfile;
  expect([profile.sample, profile.samples]).toEqual([shown, [shown]]);
  const list = (await (await app.request(`/api/artists?search=${me.row.name}`)).json()) as { items: ListedArtist[] };
  expect(list.items.find(({ id }) => id === me.row.id)?.sample).toEqual(shown);

  const whole = await app.request(shown.url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "audio/mpeg",
    "accept-ranges": "bytes",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "sandbox; default-src 'none'",
  });
  const part = await app.request(shown.url, { headers: { range: "bytes=100-199" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
  expect((await app.request(shown.url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
});

test("names a sample whose address has two titles as one without a title", async () => {
  const { status, body } = await me.upload(mp3, { title: "One", more: "&title=Two" });
  expect([status, body.items.map(({ title }) => title)]).toEqual([201, ["Sample"]]);
});

test("orders, renames, replaces and deletes samples with their files", async () => {
  await me.upload(mp3, { title: "One" });
  const { body } = await me.upload(await makeRecording("ogg"), { title: "Two" });
  const [one, two] = body.items as [OwnSample, OwnSample];
  expect(titles(await me.call("PUT", "/api/artist/samples/order", { ids: [two.id, one.id] }))).toEqual(["Two", "One"]);
  expect(titles(await me.call("PATCH", `/api/artist/samples/${two.id}`, { title: "Second" }))).toEqual([
    "Second",
    "One",
  ]);
  const replaced = await me.upload(await makeRecording("ogg", { channels: 2 }), { replaces: two.id, title: "ignored" });
  expect(titles(replaced)).toEqual(["Second", "One"]);
  expect(replaced.body.items[0]?.url).not.toBe(two.url);
  expect(titles(await me.call("DELETE", `/api/artist/samples/${one.id}`))).toEqual(["Second"]);
  await app.settle();
  expect(await filesOf(me.row.id)).toEqual([replaced.body.items[0]?.url]);
});

test("returns 404 for another artist's sample, and requires all samples in an order", async () => {
  const { body } = await me.upload(mp3);
  const id = body.items[0]?.id ?? "";
  const other = await artist();
  expect((await other.call("PATCH", `/api/artist/samples/${id}`, { title: "Mine" })).status).toBe(404);
  expect((await other.call("DELETE", `/api/artist/samples/${id}`)).status).toBe(404);
  expect((await other.upload(mp3, { replaces: id })).status).toBe(404);
  expect((await other.upload(mp3, { replaces: "none" })).status).toBe(404);
  expect((await me.call("PUT", "/api/artist/samples/order", { ids: [] })).status).toBe(409);
  expect((await me.call("PUT", "/api/artist/samples/order", { ids: [id, id] })).status).toBe(409);
  expect((await me.call("PATCH", `/api/artist/samples/${id}`, { title: " " })).status).toBe(400);
  expect(titles(await me.call("GET", "/api/artist/samples"))).toEqual(["Tune"]);
});

describe("limits of an upload", () => {
  test("refuses a sixth sample, even for two parallel uploads, but not a replacement", async () => {
    for (const position of [0, 1, 2, 3]) await addSample(me.row.id, position);
    const both = await Promise.all([me.upload(mp3), me.upload(mp3)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.message).toBe("You have 5 samples, which is the limit. Delete one first.");
    await app.settle();
    expect(await filesOf(me.row.id)).toHaveLength(1);
    const { body } = await me.call("GET", "/api/artist/samples");
    expect((await me.upload(mp3, { replaces: body.items[0]?.id ?? "" })).status).toBe(201);
  });

  test("refuses a file above 20 MB, an empty one and a picture, and stores nothing", async () => {
    const large = Buffer.concat([mp3, Buffer.alloc(20 * 1024 * 1024)]);
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    const answers = [
      await me.upload(large),
      await me.upload(Buffer.alloc(0)),
      await me.upload(png, { title: "a.mp3" }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [413, "This file is larger than 20 MB. Choose a smaller one."],
      [400, "The file is empty."],
      [415, "We can’t read this file. Save it as MP3 or OGG and try again."],
    ]);
    expect(await filesOf(me.row.id)).toEqual([]);
  });

  test("allows uploads by artists only, after their profile was saved", async () => {
    const statuses = [];
    for (const role of [undefined, "promoter", "artist"] as const) {
      const headers = role ? await app.signIn(await app.make.user({ role })) : {};
      const request = { method: "POST", url: "/api/artist/samples", payload: mp3 } as const;
      const type = { "content-type": "audio/mpeg" };
      statuses.push((await app.server.inject({ ...request, headers: { ...headers, ...type } })).statusCode);
    }
    expect(statuses).toEqual([401, 403, 409]);
  });
});

test("sweeps files without a row and retains samples", async () => {
  const { body } = await me.upload(mp3);
  const old = new Date("2020-01-01");
  const orphan = `artist-media/${me.row.id}/sample_1.mp3`;
  await app.services.files.put(orphan, mp3);
  const own = body.items[0]?.url.replace("/storage/", "") ?? "";
  for (const name of [orphan, own]) await utimes(`${app.dataDir}/files/${name}`, old, old);
  await sweepFiles(app.services);
  expect(await filesOf(me.row.id)).toEqual([`/storage/${own}`]);
});

test("deletes samples with the account", async () => {
  await me.upload(mp3);
  await app.database.transaction((tx) => releaseFilesOf(tx, me.id));
  await app.settle();
  expect(await filesOf(me.row.id)).toEqual([]);
  const left = app.database.db.selectFrom("artist_samples").where("artist_id", "=", me.row.id);
  expect(await left.select("id").execute()).toEqual([]);
});
