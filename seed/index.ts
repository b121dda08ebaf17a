/** The demo market: written once, the same every time except for the dates, which follow the current time. */

import { type Insertable, sql } from "kysely";
import { insertSeedActivity } from "#activity/index.ts";
import { insertArtists } from "#artists/index.ts";
import { insertSeedBookings } from "#bookings/index.ts";
import { insertSeedContracts } from "#contracts/index.ts";
import { insertSeedPayments } from "#payments/seed-import.ts";
import type { DB, Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { insertSeedReviews } from "#reviews/index.ts";
import { insertSeedArtistSettings } from "#settings/index.ts";
import { normalizePhone } from "#users/rules.ts";
import { insertAccount } from "#users/store.ts";
import { planArtists, planMedia } from "./artists.ts";
import { planLog } from "./log.ts";
import { later, type PlannedArtist, type Promoter, type Show } from "./market.ts";
import { keepBooks } from "./money.ts";
import { planPromoters } from "./people.ts";
import { type Random, seededRandom } from "./random.ts";
import { planReviews, reviewRows } from "./reviews.ts";
import { planShows } from "./shows.ts";

/** The password of the three accounts that can sign in. */
export const demoPassword = "demo-password";
export const demoPeople = {
  admin: { email: "admin@demo.test", name: "Alex Marlowe", role: "admin" },
  artist: { email: "artist@demo.test", name: "Electric Dreams", role: "artist" },
  promoter: { email: "promoter@demo.test", name: "Jordan Ellis", role: "promoter" },
} as const;

/**
 * Fills an empty market once per database, by the first process. Others wait for it and continue. Returns whether this call wrote it. Does
 * nothing with `SEED=none`, and in a market with users or artists.
 */
export async function seedDemo(
  services: Pick<PlatformServices, "config" | "clock" | "database" | "authTiming">,
): Promise<boolean> {
  const { config, clock, database } = services;
  if (config.seed === "none" || (await isSeeded(database.db))) return false;
  const passwordHash = await services.authTiming.hashPassword(demoPassword);
  const now = clock.now();
  return database.transaction(async (tx) => {
    const mine = await tx
      .insertInto("seed_markers")
      .values({ name: marker, at: now, note: "the demo market was written" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (!mine || !(await isEmpty(tx))) return false;
    await writeMarket(tx, now, passwordHash);
    return true;
  });
}

const marker = "demo-seed";

const isSeeded = async (db: PlatformServices["database"]["db"]): Promise<boolean> =>
  (await db.selectFrom("seed_markers").select("name").where("name", "=", marker).executeTakeFirst()) !== undefined;

async function isEmpty(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    used: boolean;
  }>`select exists (select 1 from users) or exists (select 1 from artists) as used`.execute(tx);
  return rows[0]?.used === false;
}

async function writeMarket(tx: Tx, now: Date, passwordHash: string): Promise<void> {
  const random = seededRandom(20_260_214);
  const artists = planArtists(random);
  const promoters = planPromoters(demoPeople.promoter, now, random);
  const shows = planShows(artists, promoters, now, random).map((show) => ({ show, books: keepBooks(show, random) }));
  const planned = shows.map(({ show }) => show);
  const reviews = planReviews(planned, { now, demoEmail: demoPeople.promoter.email }, random);
  backdateSignUps(artists, promoters, planned, now, random);

  for (const promoter of promoters) {
    if (!promoter.hasAccount) continue;
    const demo = promoter.email === demoPeople.promoter.email;
    const { id, email, name, phone, since } = promoter;
    await insertAccount(tx, {
      id,
      email,
      name,
      phone: normalizePhone(phone) ?? null,
      role: "promoter",
      passwordHash: demo ? passwordHash : null,
      confirmed: true,
      createdAt: since,
    });
  }
  const adminId = await insertAccount(tx, {
    ...demoPeople.admin,
    passwordHash,
    confirmed: true,
    createdAt: later(now, -900 * dayMs),
  });
  await writeArtistAccounts(tx, artists, now, passwordHash);
  await insertArtists(
    tx,
    artists.map(({ row }) => row),
    planMedia(artists, random),
  );
  await insertSeedArtistSettings(
    tx,
    artists.map(({ row }) => row.id),
    { holdsEnabled: true },
  );
  await insertSeedBookings(tx, {
    bookings: shows.map(({ books }) => books.booking),
    reservations: shows.flatMap(({ books }) => (books.reservation ? [books.reservation] : [])),
  });
  await insertSeedReviews(tx, reviewRows(reviews));
  await insertSeedContracts(
    tx,
    shows.flatMap(({ books }) => (books.contract ? [books.contract] : [])),
  );
  await insertSeedPayments(tx, {
    payments: shows.flatMap(({ books }) => books.payments),
    releases: shows.flatMap(({ books }) => (books.release ? [books.release] : [])),
    connects: artists.map(({ row }) => connectRow(row, random)),
    paidOutBefore: later(now, -dayMs),
    newId: random.id,
  });
  await insertSeedActivity(tx, planLog(shows, { now, adminId }, random));
}

/** Dates artists and promoters before their first request, and counts the numbers on the artists' cards. */
function backdateSignUps(
  artists: readonly PlannedArtist[],
  promoters: readonly Promoter[],
  shows: readonly Show[],
  now: Date,
  random: Random,
): void {
  const first = new Map<string, Date>();
  const meet = (id: string, at: Date) => {
    const known = first.get(id);
    if (!known || at < known) first.set(id, at);
  };
  for (const show of shows) {
    meet(show.artist.row.id, show.requestedAt);
    meet(show.promoter.id, show.requestedAt);
  }
  for (const { row } of artists) {
    row.created_at = later(first.get(row.id) ?? now, -random.between(3, 160) * dayMs);
    row.updated_at = row.created_at;
  }
  for (const promoter of promoters)
    promoter.since = later(first.get(promoter.id) ?? now, -random.between(1, 60) * dayMs);
}

/** *Electric Dreams* belongs to the demo artist. Every ninth artist has a separate account. */
async function writeArtistAccounts(
  tx: Tx,
  artists: readonly PlannedArtist[],
  now: Date,
  passwordHash: string,
): Promise<void> {
  for (const [index, { row }] of artists.entries()) {
    const demo = row.slug === "electric-dreams";
    if (!demo && index % 9 !== 4) continue;
    const who = demo
      ? { ...demoPeople.artist, passwordHash }
      : { email: `booking@${row.slug}.test`, name: row.name, role: "artist" as const, passwordHash: null };
    row.user_id = await insertAccount(tx, { ...who, confirmed: true, createdAt: row.created_at ?? now });
  }
}

const marks = { completed: "", pending: "open_", restricted: "restricted_" } as const;

function connectRow(
  { id: artistId, slug, user_id: userId }: PlannedArtist["row"],
  random: Random,
): Insertable<DB["artist_connect"]> {
  const draw = slug === "electric-dreams" ? 0 : random.next();
  const status = draw < 0.78 ? "completed" : draw < 0.86 ? "pending" : draw < 0.95 ? "not_started" : "restricted";
  return {
    artist_id: artistId,
    user_id: userId ?? null,
    onboarding_status: status,
    // The sandbox reads the account's state from its id.
    provider_account: status === "not_started" ? null : `acct_demo_${marks[status]}${slug.replaceAll("-", "_")}`,
  };
}
