import { expect, test } from "vitest";
import { genres } from "#artists/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { writeSamples } from "./samples.ts";
import { synthesize } from "./synthesis.ts";

const app = closeAfterFile(await testApp());

const going = new AbortController().signal;
const stored = () => app.database.db.selectFrom("artist_samples").select(["title", "name", "seconds"]).execute();

test("writes samples once into a market of the seed, and into no other", async () => {
  const { id: userId } = await app.make.user({ role: "artist" });
  await app.make.artist({ userId });
  await writeSamples(app.services, going);
  expect(await stored()).toEqual([]);

  const at = app.clock.now();
  await app.database.transaction((tx) =>
    tx.insertInto("seed_markers").values({ name: "demo-seed", at, note: "test" }).execute(),
  );
  await writeSamples(app.services, going);
  await writeSamples(app.services, going);
  const samples = await stored();
  expect(samples.map(({ title }) => title)).toEqual(["Midnight Signal", "Glasshouse", "First Light (live)"]);
  const response = await app.request(`/storage/artist-media/${samples[0]?.name}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
});

test.each(genres)("synthesize makes %s that is neither silent nor cut off", (genre) => {
  const wave = synthesize(genre, { seconds: 4, seed: 1 });
  expect(wave.every(Number.isFinite)).toBe(true);
  expect(Math.max(...wave.subarray(0, 32_000))).toBeGreaterThan(0.05);
});
