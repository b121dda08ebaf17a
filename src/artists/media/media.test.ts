import { utimes } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { drawing, makeUploader } from "#test/factories/uploads.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import type { ArtistProfile } from "../api.ts";
import type { OwnMedia, UploadedPicture } from "./api.ts";
import { encodeNextAvif, sweepFiles } from "./files.ts";
import { lockOwnFiles } from "./store.ts";

const app = closeAfterFile(await testApp());
let me: Awaited<ReturnType<typeof artist>>;
const png = await drawing(900, 600).png().toBuffer();
beforeEach(async () => {
  me = await artist();
});

type Failure = { code: string; message: string };

async function artist() {
  const uploader = await makeUploader(app);
  const { slug, id: artistId } = await app.make.artist({ userId: uploader.userId });
  return {
    ...uploader,
    slug,
    artistId,
    upload: async (kind: "photo" | "video" = "photo") => (await uploader.upload(png, "image/png", kind)).body,
    save: async (change: object) => {
      const { version } = (await uploader.call<OwnMedia>("GET", "/api/artist/media")).body;
      return uploader.call<OwnMedia & Failure>("PUT", "/api/artist/media", { ...nothing, version, ...change });
    },
    page: async () => (await uploader.call<ArtistProfile>("GET", `/api/artists/${slug}`)).body,
  };
}

const nothing = { photo_url: null, video_url: null, video_poster: null, items: [] };
const item = (picture: UploadedPicture, words = {}) => ({ url: picture.url, alt: "", caption: "", ...words });
const statusOf = async (address: string) => (await app.request(address)).status;

describe("saving", () => {
  it("shows photo, video with its poster and the portfolio in order on the public page", async () => {
    const [photo, poster] = [await me.upload(), await me.upload("video")];
    const [one, two] = [await me.upload(), await me.upload()];
    const { status } = await me.save({
      photo_url: photo.url,
      video_url: "76979871",
      video_poster: item(poster, { caption: "Live at the Waterworks" }),
      items: [item(two, { alt: "A stage in blue light", caption: "Spring tour" }), item(one)],
    });
    expect(status).toBe(200);
    const page = await me.page();
    expect(page).toMatchObject({
      photo_url: photo.url,
      picture_url: photo.url,
      photo_image: photo.image,
      video_url: "https://vimeo.com/76979871",
    });
    expect(page.media.map(({ kind, url, alt, caption }) => [kind, url, alt, caption])).toEqual([
      ["video", poster.url, "", "Live at the Waterworks"],
      ["photo", two.url, "A stage in blue light", "Spring tour"],
      ["photo", one.url, "", ""],
    ]);
    expect(page.media[1]?.image).toEqual(two.image);
  });

  it("retains the ids of pictures that stay, and deletes rows and files of the others", async () => {
    const [one, two, three] = [await me.upload(), await me.upload(), await me.upload()] as const;
    const first = (await me.save({ photo_url: three.url, items: [item(one), item(two)] })).body;
    const second = (await me.save({ items: [item(two, { caption: "Only this" })] })).body;
    expect(second.items).toMatchObject([{ id: first.items[1]?.id, caption: "Only this" }]);
    await app.settle();
    expect([await statusOf(one.url), await statusOf(two.url), await statusOf(three.url)]).toEqual([404, 200, 404]);
    expect(await statusOf(three.url.replace(".webp", "_480.webp"))).toBe(404);
    expect((await me.stored()).rows).toHaveLength(1);
  });

  it("retains a drawn picture of the demo market, and a photo that is also in the portfolio", async () => {
    const drawn = `/art/${me.slug}/still-1.svg?v=1`;
    const medium = { artist_id: me.artistId, kind: "photo" as const, url: drawn };
    await app.database.db.insertInto("artist_media").values(medium).execute();
    const photo = await me.upload();
    await me.save({ photo_url: photo.url, items: [{ url: drawn, alt: "", caption: "Still" }, item(photo)] });
    await me.save({ items: [item(photo), { url: drawn, alt: "", caption: "Still" }] });
    await app.settle();
    expect((await me.page()).media.map(({ url }) => url)).toEqual([photo.url, drawn]);
    expect(await statusOf(photo.url)).toBe(200);
  });

  it("refuses pictures of others, missing pictures, and one picture twice", async () => {
    const other = await artist();
    const [foreign, own, poster] = [await other.upload(), await me.upload(), await me.upload("video")] as const;
    for (const change of [
      { items: [item(foreign)] },
      { photo_url: foreign.url },
      { video_poster: item(foreign) },
      { items: [item({ ...own, url: own.url.replace(/\d+\.webp/, "1.webp") })] },
      { items: [item(own), item(own)] },
      { items: [item(poster)] },
      { items: [item({ ...own, url: "https://pictures.example/x.jpg" })] },
      { video_url: "ftp://video.example" },
      { items: Array.from({ length: 25 }, (_, n) => item({ ...own, url: `/x${n}` })) },
      { items: [item(own, { caption: "x".repeat(201) })] },
    ])
      expect.soft((await me.save(change)).status, JSON.stringify(change).slice(0, 80)).toBe(400);
    expect((await me.page()).media).toEqual([]);
    expect(await statusOf(foreign.url)).toBe(200);
  });

  it("refuses a change that is based on an older version, and returns the latest", async () => {
    const [one, two] = [await me.upload(), await me.upload()] as const;
    const older = (await me.save({ items: [item(one)] })).body;
    const newer = (await me.save({ items: [item(one), item(two)] })).body;
    const refused = await me.save({ items: [item(one, { caption: "Mine" })], version: older.version });
    expect(refused).toMatchObject({ status: 409, body: { message: "Your media has changed. Here is the latest." } });
    expect(refused.body).toMatchObject({
      data: { version: newer.version, items: [{ url: one.url }, { url: two.url }] },
    });
    await app.settle();
    expect([(await me.page()).media.length, await statusOf(two.url)]).toEqual([2, 200]);
  });

  it("requires a profile", async () => {
    const refused = await (await makeUploader(app)).call("PUT", "/api/artist/media", { ...nothing, version: "" });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("Save your profile first") },
    });
  });
});

it("lists files by name, by default the first 100", async () => {
  const names = Array.from({ length: 101 }, (_, n) => `${me.userId}/photo_${1_000 + n}.webp`);
  const row = { user_id: me.userId, kind: "photo" as const, bytes: 9, width: 3, height: 3, thumbhash: "" };
  const rows = names.toReversed().map((name) => ({ name, ...row }));
  await app.database.db.insertInto("artist_files").values(rows).execute();
  const list = async (query = "") => {
    const { body } = await me.call<{ items: { name: string }[] }>("GET", `/api/artist/media/files${query}`);
    return body.items.map(({ name }) => name);
  };
  expect(await list()).toEqual(names.slice(0, 100));
  expect(await list("?limit=2&offset=100")).toEqual(names.slice(100));
  expect(await list("?limit=1&order=desc")).toEqual(names.slice(100));
  expect((await me.call("GET", "/api/artist/media/files?limit=0")).status).toBe(400);
});

describe("background work", () => {
  it("makes AVIF files and offers them on pages", async () => {
    const [photo, shown] = [await me.upload(), await me.upload()] as const;
    await me.save({ photo_url: photo.url, items: [item(shown)] });
    const avif = photo.url.replace(".webp", ".avif");
    expect(await statusOf(avif)).toBe(404);
    while (await encodeNextAvif(app.services));
    const response = await app.request(avif);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/avif"]);
    expect(await statusOf(photo.url.replace(".webp", "_480.avif"))).toBe(200);
    const page = await me.page();
    expect([page.photo_image?.avif, page.media[0]?.image?.avif]).toEqual([true, true]);
    await me.save({ photo_url: shown.url });
    expect((await me.page()).photo_image?.avif).toBe(true);
  });

  it("removes unsaved uploads after a day, and files without a row after an hour", async () => {
    const [forgotten, kept] = [await me.upload(), await me.upload()] as const;
    await me.save({ photo_url: kept.url });
    const left = `artist-media/${me.userId}/photo_7.webp`;
    const fresh = `artist-media/${me.userId}/photo_8.webp`;
    for (const name of [left, fresh]) await app.services.files.put(name, Buffer.from("left behind"));
    const longAgo = new Date("2020-01-01");
    await utimes(path.join(filesFolder(app.dataDir), left), longAgo, longAgo);
    await sweepFiles(app.services);
    expect([await statusOf(forgotten.url), await statusOf(kept.url)]).toEqual([200, 200]);
    expect([await app.services.files.read(left), await app.services.files.read(fresh)]).toEqual([
      undefined,
      expect.any(Buffer),
    ]);
    app.clock.advance(25 * hourMs);
    await sweepFiles(app.services);
    await app.settle();
    expect([await statusOf(forgotten.url), await statusOf(kept.url)]).toEqual([404, 200]);
  });

  it("keeps an old upload that a profile shows which is being saved", async () => {
    const photo = await me.upload();
    app.clock.advance(25 * hourMs);
    await overlapping(
      app,
      async (tx) => {
        await lockOwnFiles(tx, me.userId, [photo.url]);
        await tx.updateTable("artists").set({ photo_url: photo.url }).where("id", "=", me.artistId).execute();
      },
      () => sweepFiles(app.services),
    );
    await app.settle();
    expect(await statusOf(photo.url)).toBe(200);
  });

  it("removes the pictures of a user who deletes the account", async () => {
    const [photo, shown, unsaved] = [await me.upload(), await me.upload(), await me.upload()] as const;
    await me.save({ photo_url: photo.url, items: [item(shown)] });
    const { status, body } = await me.call("POST", "/api/me/delete", { password: testPassword });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    await app.settle();
    for (const { url } of [photo, shown, unsaved]) expect(await statusOf(url)).toBe(404);
    expect((await me.stored()).files).toEqual([]);
    const row = await app.database.db
      .selectFrom("artists")
      .select(["photo_url", "photo_image", "user_id"])
      .where("id", "=", me.artistId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ photo_url: null, photo_image: null, user_id: null });
  });
});
