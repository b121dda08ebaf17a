/** Measures the API's throughput as a share of a bare server that sends the same bytes, in the same run. */

import { dayMs } from "#platform/time/durations.rules.ts";
import type { BenchFixture } from "./fixture.ts";
import { atLeast, type Figure, type Row } from "./report.ts";
import { throughputsOf } from "./throughput.ts";

/** The minimum shares of the bare server's throughput. Each write empties the response cache. */
const targets = { list: 0.5, profile: 0.25, booking: 0.15, cached: 2 };
/** A request with credentials is never answered from the cache (decision 15). */
const notCached = { authorization: "none" };

const reads = [
  { what: "list of 24 artists", path: "/artists?limit=24", target: targets.list },
  { what: "search, a word of many names", path: "/artists?search=velvet", target: targets.list },
  { what: "search, a rare name", path: "/artists?search=zelmon", target: targets.list },
  { what: "one artist by slug", path: "/artists/many-7", target: targets.profile },
];

/** Measures reads in a web process, and a booking with all its rules in one that is web and worker, against a bare insert. */
export async function benchApi(fixture: BenchFixture): Promise<Row[]> {
  const rows: Row[] = [];
  {
    await using product = await fixture.startProduct("web");
    for (const { what, path, target } of reads) {
      await copyResponse(`${product.origin}/api${path}`, fixture.baseline + path);
      const { bare, uncached, cached } = await throughputsOf({
        bare: { url: fixture.baseline + path },
        uncached: { url: `${product.origin}/api${path}`, headers: notCached },
        cached: { url: `${product.origin}/api${path}` },
      });
      rows.push({
        what,
        bare: `${Math.round(bare)}/s`,
        uncached: share(what, uncached, bare, target),
        cached: share(what, cached, bare, targets.cached),
      });
    }
  }
  rows.push(await benchBooking(fixture));
  return rows;
}

const share = (what: string, rate: number, bare: number, target: number): Figure =>
  atLeast(what, rate / bare, target, "of bare", `${Math.round(rate)}/s`);

/** Copies the product's response to the bare server. Throws unless that then sends the same bytes. */
async function copyResponse(from: string, to: string): Promise<void> {
  const body = await (await fetch(from, { headers: notCached })).text();
  await fetch(to, { method: "PUT", body });
  if ((await (await fetch(to)).text()) !== body)
    throw new Error(`the bare server does not answer the bytes of ${from}`);
}

async function benchBooking(fixture: BenchFixture): Promise<Row> {
  await using product = await fixture.startProduct("all");
  const nextBody = bookingForms(await activeSlugs(fixture));
  const stored = await fetch(`${product.origin}/api/bookings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(nextBody()),
  });
  await fetch(`${fixture.baseline}/bookings`, { method: "PUT", body: await stored.text() });
  const { bare, uncached } = await throughputsOf({
    bare: { url: `${fixture.baseline}/bookings`, nextBody },
    uncached: { url: `${product.origin}/api/bookings`, nextBody },
  });
  const what = "a booking with all its rules";
  return { what, bare: `${Math.round(bare)}/s`, uncached: share(what, uncached, bare, targets.booking) };
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

/** Returns filled forms, each of another user, over active artists and a month of dates that begins `daysAhead` days from now. */
export function bookingForms(slugs: readonly string[], daysAhead = 60): () => Record<string, unknown> {
  let count = 0;
  const first = Date.now() + daysAhead * dayMs;
  return () => {
    const number = ++count;
    return {
      artistId: slugs[number % slugs.length],
      clientName: `Promoter ${number}`,
      clientEmail: `promoter-${number}@bench.test`,
      clientPhone: "+1 512 555 0100",
      eventDate: new Date(first + (number % 30) * dayMs).toISOString().slice(0, 10),
      eventTime: "20:00",
      eventLocation: "The Long Hall, Austin",
      eventType: "Concert",
      guestCount: 120,
      duration: "2 hours",
      specialRequests: "Doors at seven.",
    };
  };
}
