/** The API's throughput beside two servers in the same run: every response made anew, and from the response cache. */
import type { BenchFixture } from "./fixture.ts";
import { atLeast, type Figure, type Row } from "./report.ts";
import { throughputsOf } from "./throughput.ts";

/** Shares of the package server's throughput (decision 0099); a booking's of a bare insert. Each write empties the response cache: made anew is what a busy evening feels. */
const bars = { read: 0.6, rareName: 2, profile: 0.3, booking: 0.15, cached: 2 };
/** A request that names its caller is never answered from the cache (decision 18). */
const notCached = { authorization: "none" };

const reads = [
  { what: "list of 24 artists", path: "/artists?limit=24", bar: bars.read },
  { what: "search, a word of many names", path: "/artists?search=velvet", bar: bars.read },
  { what: "search, a rare name", path: "/artists?search=zelmon", bar: bars.rareName },
  { what: "one artist by slug", path: "/artists/many-7", bar: bars.profile },
];

/** Reads in a web process; a booking with all its rules in one that is web and worker, against a bare insert. */
export async function benchApi(fixture: BenchFixture): Promise<Row[]> {
  const rows: Row[] = [];
  {
    await using product = await fixture.startProduct("web");
    for (const { what, path, bar } of reads) {
      const { bare, packages, anew, cached } = await throughputsOf({
        bare: { url: fixture.baseline + path },
        packages: { url: fixture.packages + path },
        anew: { url: `${product.origin}/api${path}`, headers: notCached },
        cached: { url: `${product.origin}/api${path}` },
      });
      const share = (rate: number, least: number): Figure =>
        atLeast(
          what,
          rate / packages,
          least,
          "of the packages",
          `${Math.round(rate)}/s, ${(rate / bare).toFixed(2)} of bare`,
        );
      rows.push({
        what,
        bare: `${Math.round(bare)}/s`,
        packages: `${Math.round(packages)}/s`,
        anew: share(anew, bar),
        cached: share(cached, bars.cached),
      });
    }
  }
  rows.push(await benchBooking(fixture));
  return rows;
}

async function benchBooking(fixture: BenchFixture): Promise<Row> {
  await using product = await fixture.startProduct("all");
  const nextBody = bookingForms(await activeSlugs(fixture));
  const { bare, anew } = await throughputsOf({
    bare: { url: `${fixture.baseline}/bookings`, nextBody },
    anew: { url: `${product.origin}/api/bookings`, nextBody },
  });
  const what = "a booking with all its rules";
  return {
    what,
    bare: `${Math.round(bare)}/s`,
    packages: "-",
    anew: atLeast(what, anew / bare, bars.booking, "of bare", `${Math.round(anew)}/s, a share of bare`),
  };
}

export async function activeSlugs({ database }: BenchFixture): Promise<string[]> {
  const artists = database.db
    .selectFrom("artists")
    .select("slug")
    .where("is_active", "=", true)
    .orderBy("slug")
    .limit(500);
  return (await artists.execute()).map(({ slug }) => slug);
}

/** Filled forms, each by another person, spread over active artists and a month of dates. */
export function bookingForms(slugs: readonly string[]): () => Record<string, unknown> {
  let count = 0;
  const first = Date.now() + 60 * 86_400_000;
  return () => {
    const number = ++count;
    return {
      artistId: slugs[number % slugs.length],
      clientName: `Promoter ${number}`,
      clientEmail: `promoter-${number}@bench.test`,
      clientPhone: "+1 512 555 0100",
      eventDate: new Date(first + (number % 30) * 86_400_000).toISOString().slice(0, 10),
      eventTime: "20:00",
      eventLocation: "The Long Hall, Austin",
      eventType: "Concert",
      guestCount: 120,
      duration: "2 hours",
      specialRequests: "Doors at seven.",
    };
  };
}
