/** Numbered lists in each of their orders: every row once over all pages, by its column and then by id. */

import { sql } from "kysely";
import { expect, test } from "vitest";
import { recordActivity } from "#activity/index.ts";
import { activityTypes, logSorts } from "#activity/rules.ts";
import { adminArtistSorts } from "#artists/admin/rules.ts";
import { holdSorts } from "#calendar/holds/list.rules.ts";
import { readSort } from "#platform/list.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { contractSorts, ownPaymentSorts } from "./payments.rules.ts";

type Item = Readonly<Record<string, unknown> & { id: string }>;
type Key = (item: Item) => unknown;

const app = closeAfterFile(await testApp());

/** More than one page per list, with many equal values. */
const promoter = await app.make.user({ role: "promoter", name: "Lively Nights" });
const readers = {
  admin: browser(app, await app.signIn(await app.make.user({ role: "admin" }))),
  promoter: browser(app, await app.signIn(promoter)),
};
const artists = [];
for (let at = 0; at < 30; at++)
  artists.push(
    await app.make.artist({
      name: `Act ${"ABC"[at % 3]}`,
      genre: at % 2 ? "jazz" : "folk",
      baseRate: (1 + (at % 5)) * 10_000,
      isActive: at % 4 > 0,
    }),
  );
for (let at = 0; at < 30; at++)
  await app.make.booking({
    artist: artists[at],
    promoterUserId: promoter.id,
    promoterName: `Promoter ${"AB"[at % 2]}`,
    venue: `Venue ${"AB"[at % 2]}`,
    eventDate: dayAhead(app, 30 + (at % 4)),
    balancePaid: at % 3 === 0,
    status: at % 3 === 0 ? "contract_signed" : "contract_sent",
  });
await sql`update artists set featured_rank = 1 where base_rate = 10000`.execute(app.database.db);
for (const [at, artist] of artists.entries()) {
  const ended = at % 2 === 0;
  await sql`
    with made as (
      insert into holds (artist_id, entered_name, event_time, event_location, event_type, note, created_at)
      values (${artist.id}::uuid, ${`Caller ${"AB"[at % 2]}`}, '20:00', 'Austin', 'party', '', now()) returning id)
    insert into hold_nights (hold_id, artist_id, night, state, rank, expires_at, ended_at)
    select id, ${artist.id}::uuid, ${dayAhead(app, 100 + (at % 4))}::date, ${ended ? "released" : "active"}, ${ended ? null : 1},
      now() + interval '9 days', ${ended ? sql`now()` : null} from made`.execute(app.database.db);
}
// Six entries of one transaction have the same time.
for (let at = 0; at < 6; at++)
  await app.database.transaction(async (tx) => {
    for (let one = 0; one < 6; one++)
      await recordActivity(tx, { type: activityTypes[one % 3] ?? "system", refId: "order", message: `Entry ${at}` });
  });

const part =
  (name: string, inner: string): Key =>
  (item) =>
    (item[name] as Record<string, unknown>)[inner];
const own =
  (name: string): Key =>
  (item) =>
    item[name];

const lists: readonly [string, keyof typeof readers, string, readonly string[], Readonly<Record<string, Key>>][] = [
  [
    "artists",
    "admin",
    "/api/admin/artists",
    adminArtistSorts,
    {
      name: own("name"),
      genre: own("genre"),
      active: own("is_active"),
      rate: own("base_rate"),
      featured: own("is_featured"),
    },
  ],
  [
    "holds",
    "admin",
    "/api/admin/holds",
    holdSorts,
    { artist: part("artist", "name"), promoter: own("promoter_name"), night: own("night"), state: own("state") },
  ],
  ["the log", "admin", "/api/admin/logs", logSorts, { time: own("created_at"), type: own("type") }],
  [
    "contracts",
    "admin",
    "/api/admin/contracts",
    contractSorts,
    {
      artist: part("artist", "name"),
      promoter: part("booking", "promoter_name"),
      event: part("booking", "event_date"),
      status: ({ signed_status: status }) => ["draft", "sent", "signed", "declined"].indexOf(String(status)),
      provider: own("provider"),
    },
  ],
  [
    "payments",
    "promoter",
    "/api/promoter/payments",
    ownPaymentSorts,
    {
      artist: part("artist", "name"),
      event: part("booking", "event_date"),
      venue: part("booking", "venue_name"),
      paid: (item) => item["payment_date"] ?? item["created_at"],
      status: own("status"),
      amount: own("amount"),
    },
  ],
];

test.each(lists)("lists %s once over all pages in every order", async (_list, reader, address, sorts, keys) => {
  const walk = async (sort: string) => {
    const items: Item[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await readers[reader].json(`${address}?sort=${sort}&page=${page}`);
      expect([sort, status]).toEqual([sort, 200]);
      const found = body as unknown as { items: Item[]; total: number };
      items.push(...found.items);
      if (found.items.length > 0) continue;
      expect([sort, items.length, new Set(items.map(({ id }) => id)).size]).toEqual([sort, found.total, found.total]);
      expect(items.length, "more than one page").toBeGreaterThan(25);
      return items;
    }
  };
  for (const sort of sorts) {
    const { column, down } = readSort(sort);
    const items = await walk(sort);
    const key = keys[column];
    if (!key) throw new Error(`The list is ordered by ${column}, which is not compared.`);
    const values = items.map(key) as (string | number | boolean)[];
    const inOrder = values.toSorted((one, other) => (one === other ? 0 : one < other === down ? 1 : -1));
    expect([sort, values]).toEqual([sort, inOrder]);
    const opposite = await walk(down ? column : `-${column}`);
    expect([sort, opposite.map(({ id }) => id)]).toEqual([sort, items.map(({ id }) => id).toReversed()]);
  }
  expect((await readers[reader].json(`${address}?sort=colour`)).status).toBe(400);
});
