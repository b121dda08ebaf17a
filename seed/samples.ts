/** The sound samples of the demo market: made after the start of the server, in a separate thread. */

import { storeDemoSample } from "#artists/index.ts";
import { type Genre, isGenre } from "#artists/rules.ts";
import { masterSample } from "#platform/files/sound/sounds.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { sampleRate, synthesize } from "./synthesis.ts";

type Services = Pick<PlatformServices, "clock" | "database" | "files" | "log">;

const marker = "demo-samples";
const artistsWithSamples = 12;
const titles = [
  "Midnight Signal",
  "Glasshouse",
  "First Light (live)",
  "Paper Lanterns",
  "Slow River",
  "Second Set",
  "Blue Hour",
  "The Long Way Down",
  "Open Windows",
  "Harbor Street",
  "Good Company",
  "Last Train Home",
  "Summer Rain",
  "Red Curtain",
] as const;

/** Starts making the samples, once per demo market. Returns a function that stops it. */
export function startDemoSamples(services: Services): () => Promise<void> {
  const ending = new AbortController();
  const done = writeSamples(services, ending.signal).catch((error: unknown) =>
    services.log.error({ err: error }, "the samples of the demo market could not be made"),
  );
  return async () => {
    ending.abort();
    await done;
  };
}

/** Makes a sample for each of the first listed artists. The first of them has three. */
export async function writeSamples(services: Services, signal: AbortSignal): Promise<void> {
  if (!(await claim(services))) return;
  const artists = await services.database.db
    .selectFrom("artists")
    .select(["id", "genre"])
    .where("is_active", "=", true)
    .orderBy("featured_rank", (order) => order.asc().nullsLast())
    .orderBy("booked_count", "desc")
    .orderBy("id")
    .limit(artistsWithSamples)
    .execute();
  const planned = artists.flatMap((artist, n) => (n === 0 ? [artist, artist, artist] : [artist]));
  const titlesMade = await services.database.db.selectFrom("artist_samples").select("title").execute();
  const made = new Set(titlesMade.map(({ title }) => title));
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
  for (const [position, { id, genre }] of planned.entries()) {
    if (signal.aborted) return release(services);
    if (made.has(titles[position] ?? "")) continue;
    const mastered = masterSample(recordingOf(isGenre(genre) ? genre : "other", position));
    const sample = await Promise.race([mastered, aborted]);
    if (!sample) return release(services);
    await storeDemoSample(services, { artistId: id, sample, title: titles[position] ?? "Sample", position });
  }
}

/** Releases the claim of an interrupted run: the next process makes the missing samples. */
const release = ({ database }: Services): Promise<void> =>
  database.transaction(async (tx) => void (await tx.deleteFrom("seed_markers").where("name", "=", marker).execute()));

const recordingOf = (genre: Genre, n: number) => ({
  channels: [synthesize(genre, { seconds: 20 + ((n * 7) % 12), seed: 100 + n })],
  rate: sampleRate,
  isCutAtStart: false,
  isCutAtEnd: true,
});

/** Claims the samples for one process. Returns false in a market that the seed did not write. */
async function claim({ clock, database }: Services): Promise<boolean> {
  return database.transaction(async (tx) => {
    const seeded = await tx
      .selectFrom("seed_markers")
      .select("name")
      .where("name", "=", "demo-seed")
      .executeTakeFirst();
    if (!seeded) return false;
    const mine = await tx
      .insertInto("seed_markers")
      .values({ name: marker, at: clock.now(), note: "the samples of the demo market are made" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    return mine !== undefined;
  });
}
