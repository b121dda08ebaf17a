/** Reads what the ledger says of one booking. Amounts are minor units of the booking's currency. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { PaymentKind } from "../rules.ts";
import { accounts } from "./ledger.store.ts";

/** A change of what is held for a booking; negative when it leaves. */
export type Movement = {
  at: Date;
  kind: PaymentKind | "refund" | "refund_undone" | "release";
  amount_cents: number;
  held_after_cents: number;
};

/** Every posting that changed what is held for the booking, oldest first. */
export async function movementsOf(reader: Reader, bookingId: string, currency: string): Promise<Movement[]> {
  const { rows } = await sql<{ kind: string; payment: PaymentKind | null; at: Date; amount: string }>`
    select g.kind, p.kind as payment, g.posted_at as at, -sum(e.amount) as amount
    from ledger_entries e join ledger_groups g on g.id = e.group_id left join payments p on p.id = g.payment_id
    where e.account = ${accounts.held(bookingId)} and e.currency = ${currency}
    group by g.id, g.kind, p.kind, g.posted_at having sum(e.amount) <> 0
    order by g.posted_at, min(e.id)`.execute(reader);
  let held = 0;
  return rows.map(({ kind, payment, at, amount }) => {
    held += Number(amount);
    return { at, kind: movementKind(kind, payment), amount_cents: Number(amount), held_after_cents: held };
  });
}

function movementKind(kind: string, payment: PaymentKind | null): Movement["kind"] {
  if (kind === "release" || kind === "refund_undone") return kind;
  return kind.startsWith("refund") ? "refund" : (payment ?? "deposit");
}

/** Where the money is that is no longer held for a booking, and what the provider took of its charges. */
export type LeftHeld = { returning: number; artist: number; platform: number; providerFee: number };

/** What was released, less what a refund after the release took from it. */
const ofRelease = sql`g.kind in ('release', 'refund_planned')`;

/** Sums what has left: on its way back, released to artist and platform, and the fee of the payment service. */
export async function leftHeldOf(reader: Reader, bookingId: string, currency: string): Promise<LeftHeld> {
  const sum = (condition: ReturnType<typeof sql<boolean>>, sign: 1 | -1) =>
    sql<string>`coalesce(${sql.lit(sign)} * sum(e.amount) filter (where ${condition}), 0)`;
  const row = await reader
    .selectFrom("ledger_groups as g")
    .innerJoin("ledger_entries as e", "e.group_id", "g.id")
    .where("g.booking_id", "=", bookingId)
    .where("e.currency", "=", currency)
    .select([
      sum(sql`e.account = ${accounts.refundInFlight}`, -1).as("returning"),
      sum(sql`${ofRelease} and (e.account like 'artist_payable:%' or e.account like 'artist_receivable:%')`, -1).as(
        "artist",
      ),
      sum(sql`${ofRelease} and e.account = ${accounts.platformRevenue}`, -1).as("platform"),
      sum(sql`e.account = ${accounts.pspFees}`, 1).as("fee"),
    ])
    .executeTakeFirstOrThrow();
  return {
    returning: Number(row.returning),
    artist: Number(row.artist),
    platform: Number(row.platform),
    providerFee: Number(row.fee),
  };
}
