/** Measures the admin's payment search with a million payments over HTTP: by amount, email, parts of references, booking number, name and dates. */

import { sql } from "kysely";
import type { Database } from "#platform/db/index.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";
import { testApp } from "#test/test-app.ts";
import { atMost, type Figure, quantile } from "../report.ts";
import { bulkInsert } from "./bulk-insert.ts";

const million = 1_000_000;
const artists = 2_000;
const rounds = 7;
const barMs = 100;

/** An admin's searches. The last three match nothing, everything, and everything of one month. */
const searchesFor = (one: Sample): Record<string, string>[] => [
  {},
  { status: "refunded" },
  { from: "2029-03-01", to: "2029-03-31" },
  { search: "1125.00" },
  { search: "$1,125.00", from: "2029-03-01", to: "2029-03-31" },
  { search: one.promoter_email },
  { search: one.promoter_email.slice(2, 12) },
  { search: one.provider_ref },
  { search: one.provider_payment.slice(6, 14) },
  { search: one.provider_charge.slice(-6) },
  { search: one.number },
  { search: one.promoter_name },
  { search: one.artist },
  { search: "venue 17" },
  { search: "no such text" },
  { search: "example.test" },
  { search: "example.test", from: "2029-03-01", to: "2029-03-31" },
];

export async function benchPaymentSearch(): Promise<Figure[]> {
  await using app = await testApp({ engine: "postgres" });
  await loadPayments(app.database, artists);
  const headers = await app.signIn(await app.make.user({ role: "admin" }));
  const times: { query: string; ms: number }[] = [];
  for (const search of searchesFor(await sample(app.database))) {
    const query = new URLSearchParams(search).toString();
    const taken: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now();
      const response = await app.request(`/api/admin/payments?${query}`, { headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`${query}: ${response.status} ${text}`);
      if (round > 0) taken.push(performance.now() - began);
    }
    times.push({ query, ms: quantile(taken, 0.5) });
  }
  times.sort((a, b) => b.ms - a.ms);
  for (const { query, ms } of times) console.log(`  ${ms.toFixed(1).padStart(7)} ms  ${query}`);
  return [
    atMost("payment search at a million, slowest median", times[0]?.ms ?? 0, barMs, "ms", `worst: ${times[0]?.query}`),
  ];
}

/** Loads `artists` artists and a million bookings with a paid deposit, over five years. `more`: SQL that follows. */
export async function loadPayments(database: Database, artists: number, more = ""): Promise<void> {
  const rows = `${loadTestArtistsSql(artists)}
    create temporary table some_artists as select id, row_number() over () - 1 as place from artists;
    insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type,
        duration_minutes, venue_name, venue_address, time_zone, starts_at, ends_at, fee_cents, currency, deposit_percent,
        deposit_cents, balance_cents, commission_bps, policy_name, policy, created_at)
      select a.id,
          (array['Robin','Alex','Kim','Sam','Jo','Lee','Max','Toni'])[n % 8 + 1] || ' ' || initcap(substr(md5('name' || n % 50000), 1, 7)),
          substr(md5('name' || n % 50000), 1, 7) || n % 50000 || '@example.test', '+1 512 555 0148',
          date '2026-01-01' + n % 1800, '20:00', 'Concert', 60, 'Venue ' || n % 5000, n % 5000 || ' Main Street', 'UTC',
          day, day + interval '1 hour', cents * 4, 'usd', 25, cents, cents * 3, 1000, 'Standard', '{}', day - interval '60 days'
        from generate_series(1, ${million}) n join some_artists a on a.place = n % ${artists},
          lateral (select (n % 2000 + 10) * 500 as cents) fee,
          lateral (select timestamptz '2026-01-01 20:00Z' + n % 1800 * interval '1 day' as day) event;
    insert into payments (booking_id, kind, amount, currency, status, checkout_state, provider, provider_ref, provider_payment,
        provider_charge, payment_date, created_at, payer_email, amount_refunded)
      select b.id, 'deposit', b.deposit_cents, 'usd',
          case when b.sequence_number % 50 = 0 then 'refunded' else 'succeeded' end, 'paid', 'stripe',
          'cs_test_' || md5('cs' || b.id), 'pi_' || md5('pi' || b.id), 'ch_' || md5('ch' || b.id), b.created_at, b.created_at,
          b.promoter_email, 0
        from bookings b; ${more}`;
  await bulkInsert(database, ["artists", "bookings", "payments"], rows);
}

type Sample = Awaited<ReturnType<typeof sample>>;

async function sample({ db }: Database) {
  const { rows } = await sql<Record<SampleColumn, string>>`
    select b.promoter_email, b.promoter_name, b.number, a.name as artist, p.provider_ref, p.provider_payment, p.provider_charge
      from payments p join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id
      where b.sequence_number = 777777`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the sample is missing");
  return row;
}

type SampleColumn =
  | "artist"
  | "number"
  | "promoter_email"
  | "promoter_name"
  | "provider_charge"
  | "provider_payment"
  | "provider_ref";
