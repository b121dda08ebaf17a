import { sql } from "kysely";
import { regainedOf } from "#ledger/index.ts";
import { firstRowOf, type Reader } from "#platform/db/index.ts";
import { dueToPayer, returnableShares } from "./returnable.rules.ts";
import { acceptsEvidence, disputeStateOf, isClosed, mayAccept } from "./rules.ts";

export type DisputeView = Awaited<ReturnType<typeof disputesOf>>[number];

/** Returns the disputes of a booking, the latest first: what the bank took, who bore it after a loss, and the evidence. */
export async function disputesOf(reader: Reader, bookingId: string) {
  const rows = await reader
    .selectFrom("disputes as d")
    .leftJoin("payments as p", "p.id", "d.payment_id")
    .leftJoin("dispute_evidence as v", "v.dispute_id", "d.id")
    .selectAll("d")
    .select(["p.kind", "p.provider", "v.status as evidence_status", "v.texts", "v.sent_at", "v.last_error"])
    .select("v.created_at as requested_at")
    .select(sql<string[]>`array(select f.name from dispute_files f where f.evidence_id = v.id)`.as("files"))
    .where("d.booking_id", "=", bookingId)
    .orderBy("d.opened_at", "desc")
    .orderBy("d.id")
    .execute();
  const terms = await divisionTermsOf(reader, bookingId);
  const payments = [...new Set(rows.map(({ payment_id: id }) => id))];
  const regained = new Map<string | null, number>();
  for (const id of payments) regained.set(id, await regainedOf(reader, id, rows[0]?.currency ?? ""));
  return rows.map((row) => {
    const around = { ...terms, regained: regained.get(row.payment_id) ?? 0 };
    const hasEvidence = row.evidence_status !== null && row.evidence_status !== "failed";
    return {
      ...row,
      ref: row.provider_ref,
      state: disputeStateOf(row.status),
      due_at: isClosed(row.status) ? null : row.evidence_due_at,
      withdrawn_cents: row.withdrawn,
      borne: row.settled_at && {
        held: row.from_held,
        artist: row.from_artist,
        platform: row.from_platform + row.from_loss,
        refunded: row.from_refunds,
      },
      returned: row.returned_at && { artist: row.returned_artist, platform: row.returned_platform },
      returnable: returnableShares(row, around),
      unreturned_cents: Math.max(0, row.withdrawn - row.regained),
      payer_due_cents: dueToPayer(row, around),
      can_accept: mayAccept({ ...row, hasEvidence }),
      can_send: acceptsEvidence(row.status) && row.submissions === 0 && !hasEvidence,
      evidence:
        row.evidence_status === null
          ? null
          : {
              status: row.evidence_status,
              texts: (row.texts ?? {}) as Record<string, string>,
              files: row.files,
              sent_at: row.sent_at,
              requested_at: row.requested_at ?? row.opened_at,
              error: row.last_error,
            },
    };
  });
}

/** Returns the amount that is disputed or inquired about now, and what the bank withholds of it, in minor units. */
export async function disputedOf(reader: Reader, booking: Readonly<{ id: string; currency: string }>) {
  const row = await firstRowOf<{ open: number; withheld: number }>(reader)`
    select coalesce(sum(amount), 0)::bigint as open, coalesce(sum(withdrawn), 0)::bigint as withheld from disputes
    where booking_id = ${booking.id} and currency = ${booking.currency} and closed_at is null`;
  return row ?? { open: 0, withheld: 0 };
}

export async function ownerOfBooking(reader: Reader, bookingId: string): Promise<string | null> {
  const row = await reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .select("a.user_id")
    .where("b.id", "=", bookingId)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export const bookingOfDispute = (reader: Reader, disputeId: string) =>
  reader
    .selectFrom("disputes")
    .select(["booking_id", "provider_payment"])
    .where("id", "=", disputeId)
    .executeTakeFirst();

export const openDisputes = (reader: Reader) =>
  reader
    .selectFrom("disputes")
    .select(["provider_ref", "amount", "currency", "opened_at"])
    .where("closed_at", "is", null)
    .execute();

export async function disputeStatuses(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.selectFrom("disputes").select(["provider_ref", "status"]).execute();
  return new Map(rows.map((row) => [row.provider_ref, row.status]));
}

type DivisionTerms = { artistId: string | null; commissionBps: number; isDivided: boolean; retainable: number | null };

/** Returns how the held money of a booking is divided, and whether it was: by the release, or by a cancellation. `retainable`: what the terms of a cancellation still let artist and platform have, in minor units. */
export async function divisionTermsOf(reader: Reader, bookingId: string): Promise<DivisionTerms> {
  const row = await firstRowOf<DivisionTerms>(reader)`
    select b.artist_id as "artistId", coalesce(b.commission_bps, 0) as "commissionBps",
      coalesce(b.status in ('completed', 'canceled'), false)
        or exists (select 1 from ledger_groups g where g.booking_id = x.id and g.kind = 'release') as "isDivided",
      case when b.status = 'canceled' then greatest(0, coalesce(b.cancellation_fee_cents, 0)
        - (select coalesce(sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
            where g.booking_id = b.id and g.kind = 'release' and e.account = 'held:' || b.id)
        - (select coalesce(sum(greatest(0, d.returned_artist + d.returned_platform - d.from_artist - d.from_platform)), 0)
            from disputes d where d.booking_id = b.id))::bigint end as retainable
    from (select ${bookingId}::uuid as id) x left join bookings b on b.id = x.id`;
  return row ?? { artistId: null, commissionBps: 0, isDivided: false, retainable: null };
}
