/** Uploads when the file storage or the database fails: no row without its files, and no files without a row. */

import { beforeEach, expect, test } from "vitest";
import { encodeUpload } from "#platform/files/pictures.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { drawing, storedPictures } from "#test/factories/uploads.ts";
import { testApp } from "#test/test-app.ts";
import { storePicture, sweepFiles } from "./files.ts";

type Services = Pick<PlatformServices, "files" | "database" | "clock" | "log">;

const app = closeAfterFile(await testApp());
let userId: string;
const picture = await encodeUpload(await drawing().png().toBuffer(), "image/png");
beforeEach(async () => {
  ({ id: userId } = await app.make.user({ role: "artist" }));
});

const store = (services: Partial<Services>) =>
  storePicture({ ...app.services, ...services }, { userId, kind: "photo", picture });

const kept = () => storedPictures(app, userId);

const storage = (more: Partial<Services["files"]>) => ({ files: { ...app.services.files, ...more } });
const database = (transaction: Services["database"]["transaction"]) => ({ database: { ...app.database, transaction } });
const failing = (message: string) => () => Promise.reject(new Error(message));
const away = failing("the storage is away");
const withoutWrites = () => database(failing("the database takes no writes"));

test.each(["small", "main"])(
  "returns a message and stores neither row nor file if the storage fails for the %s file",
  async (which) => {
    const { put } = app.services.files;
    const isRefused = (name: string) => name.endsWith("_480.webp") === (which === "small");
    const refusing = storage({ put: (name, bytes) => (isRefused(name) ? away() : put(name, bytes)) });
    await expect(store(refusing)).rejects.toMatchObject({
      kind: "unavailable",
      message: "The file could not be stored. Try again in a few minutes.",
    });
    expect(await kept()).toEqual({ rows: [], files: [] });
  },
);

test("calls the storage outside transactions", async () => {
  let open = 0;
  const during: number[] = [];
  const { put } = app.services.files;
  const services = {
    ...storage({
      put: async (name, bytes) => {
        during.push(open);
        await new Promise((resolve) => setImmediate(resolve));
        return put(name, bytes);
      },
    }),
    ...database((work) => {
      open++;
      return app.database.transaction(work).finally(() => open--);
    }),
  };
  const { url } = await store(services);
  expect(during).toEqual([0, 0]);
  expect((await app.request(url)).status).toBe(200);
});

test("leaves no file if the row cannot be written", async () => {
  await expect(store(withoutWrites())).rejects.toThrow("takes no writes");
  expect(await kept()).toEqual({ rows: [], files: [] });
});

test("leaves neither row nor file if the account is deleted during its upload", async () => {
  const { put } = app.services.files;
  const services = storage({
    put: async (name, bytes) => {
      await app.database.db.deleteFrom("users").where("id", "=", userId).execute();
      return put(name, bytes);
    },
  });
  await expect(store(services)).rejects.toThrow("Session from session_id claim in JWT does not exist");
  expect(await kept()).toEqual({ rows: [], files: [] });
});

test("retains the files of a commit whose response was lost", async () => {
  const lost = database(async (work) => {
    await app.database.transaction(work);
    throw new Error("the connection was lost");
  });
  await expect(store(lost)).rejects.toThrow("connection was lost");
  const { rows, files } = await kept();
  expect([rows.length, files.length]).toEqual([1, 2]);
});

test("leaves files that cannot be removed to the sweep, and throws the first error", async () => {
  await expect(store({ ...storage({ remove: away }), ...withoutWrites() })).rejects.toThrow("takes no writes");
  const { rows, files } = await kept();
  expect([rows.length, files.length]).toEqual([0, 2]);
});

test("gives uploads of the same moment different names", async () => {
  const now = app.clock.now();
  const clock = { ...app.clock, now: () => now };
  const many = await Promise.all(Array.from({ length: 10 }, () => store({ clock })));
  expect(new Set(many.map(({ url }) => url)).size).toBe(10);
  expect((await kept()).files).toHaveLength(20);
});

test("finishes a page of the storage before it requests the next one in the sweep", async () => {
  const { url } = await store({});
  const [own] = (await app.services.files.list(`artist-media/${userId}`)).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const changedAt = new Date("2020-01-01");
  const orphan = (page: number) => ({ name: `artist-media/${userId}/photo_${page}.webp`, changedAt });
  const calls: string[] = [];
  await sweepFiles({
    ...app.services,
    ...storage({
      async *pages(folder) {
        for (const page of [1, 2, 3]) {
          calls.push(`page ${page} of ${folder}`);
          yield page === 1 && own ? [orphan(page), { ...own, changedAt }] : [orphan(page)];
        }
      },
      remove: async (name) => void calls.push(`remove ${name.split("/").at(-1)}`),
    }),
  });
  expect(calls).toEqual([1, 2, 3].flatMap((page) => [`page ${page} of artist-media`, `remove photo_${page}.webp`]));
  expect((await app.request(url)).status).toBe(200);
});
