import { type Selectable, sql } from "kysely";
import type { PaymentMark, ProviderCheckout, ProviderPayment } from "#gateway/gateway.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import { hasRow, isUuid, updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import type { DifferencesFound } from "../rules/events.rules.ts";
import { publishEvent } from "../store.ts";

export type UnreconciledItem = Selectable<DB["unreconciled_items"]>;

/** A difference found by reconciliation. `amount` is minor units, if the provider or the ledger has one. */
export type FoundDifference = Readonly<{
  kind: UnreconciledItem["kind"];
  what: string;
  ref: string;
  amount?: number;
  currency?: string;
  occurredAt: Date;
  /** For money with our metadata: the id of its lost row, and the metadata. */
  lost?: Readonly<{ paymentId: string; mark: PaymentMark | null }>;
}>;

/** Returns the difference of money with our metadata but without a row. Empty without money. */
export function unmatchedDifferences(reported: ProviderCheckout | ProviderPayment): FoundDifference[] {
  const { money, paymentId, mark } = reported;
  if (!money || !paymentId || !isUuid(paymentId)) return [];
  const { providerPayment: ref, amount, currency, at: occurredAt } = money;
  const what = "the provider received a payment for this platform that has no record here";
  return [{ kind: "payment", what, ref, amount, currency, occurredAt, lost: { paymentId, mark: mark ?? null } }];
}

/** The result of a reconciliation. `healed`: objects of the provider that were missing here. */
export type Reconciliation = { compared: number; healed: number; differences: FoundDifference[] };

/** Records differences, and publishes the new ones together. Reopens an item that differs again, or that was resolved with another amount. */
export async function recordDifferences(tx: Tx, found: readonly FoundDifference[], now: Date): Promise<void> {
  const listed: DifferencesFound["first"][number][] = [];
  for (const { kind, what, ref, amount, currency, occurredAt, lost } of found) {
    const item = await tx
      .insertInto("unreconciled_items")
      .values({
        kind,
        what,
        ref,
        amount: amount ?? null,
        currency: amount === undefined ? null : (currency ?? null),
        occurred_at: occurredAt,
        first_seen_at: now,
        payment_id: lost?.paymentId ?? null,
        marked_booking_id: lost?.mark?.bookingId && isUuid(lost.mark.bookingId) ? lost.mark.bookingId : null,
        payment_kind: lost?.mark?.kind ?? null,
        booking_number: lost?.mark?.bookingNumber ?? null,
        payer_name: lost?.mark?.payerName ?? null,
        payer_email: lost?.mark?.payerEmail ?? null,
      })
      .onConflict((on) =>
        on
          .columns(["ref", "what"])
          .doUpdateSet((eb) => ({
            resolved_at: null,
            resolution: null,
            resolved_by: null,
            reason: null,
            amount: eb.ref("excluded.amount"),
            occurred_at: eb.ref("excluded.occurred_at"),
            first_seen_at: sql`case when unreconciled_items.resolved_at is null then unreconciled_items.first_seen_at else excluded.first_seen_at end`,
          }))
          .where(
            sql<boolean>`unreconciled_items.resolution = 'healed' or (unreconciled_items.amount is distinct from excluded.amount
              and (unreconciled_items.resolved_at is null or unreconciled_items.resolution = 'explained'))`,
          ),
      )
      .returning(["what", "ref", "amount", "currency", "first_seen_at"])
      .executeTakeFirst();
    if (item?.first_seen_at.getTime() === now.getTime()) listed.push(item);
  }
  if (listed.length > 0)
    await publishEvent(tx, "payment.differences_found", { count: listed.length, first: listed.slice(0, 3) });
  if (found.length > 0) await broadcastChange(tx, "money", { admins: true });
}

/** Closes items that a comparison since `from` no longer finds. Earlier items and lost payments are left for an admin. */
export async function resolveOtherItems(tx: Tx, found: readonly FoundDifference[], span: { from: Date; now: Date }) {
  const open = await openItems(tx);
  const still = new Set(found.map(({ ref, what }) => `${ref} ${what}`));
  const gone = open.filter(
    ({ ref, what, occurred_at, payment_id }) =>
      payment_id === null && occurred_at >= span.from && !still.has(`${ref} ${what}`),
  );
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await tx
    .updateTable("unreconciled_items")
    .set({ resolved_at: span.now, resolution: "healed" })
    .where("id", "in", ids)
    .where("resolved_at", "is", null)
    .execute();
  await broadcastChange(tx, "money", { admins: true });
}

const selectItems = (reader: Reader) => reader.selectFrom("unreconciled_items").selectAll();

export const openItems = (reader: Reader): Promise<UnreconciledItem[]> =>
  selectItems(reader).where("resolved_at", "is", null).orderBy("first_seen_at").orderBy("id").execute();

export const hasLostPayment = (
  reader: Reader,
  { bookingId, kind }: { bookingId: string; kind: PaymentKind },
): Promise<boolean> =>
  hasRow(reader)`
    select 1 from unreconciled_items where resolved_at is null and marked_booking_id = ${bookingId} and payment_kind = ${kind}`;

export const findItem = (reader: Reader, id: string): Promise<UnreconciledItem | undefined> =>
  selectItems(reader).where("id", "=", id).executeTakeFirst();

export const lockOpenItem = (tx: Tx, id: string): Promise<UnreconciledItem | undefined> =>
  selectItems(tx).where("id", "=", id).where("resolved_at", "is", null).forUpdate().executeTakeFirst();

export async function resolveItem(
  tx: Tx,
  id: string,
  how: { resolution: "applied" | "returned" | "explained"; by: string; reason: string; bookingId?: string; now: Date },
): Promise<void> {
  await updateById(tx, "unreconciled_items", id, {
    resolved_at: how.now,
    resolution: how.resolution,
    resolved_by: how.by,
    reason: how.reason,
    booking_id: how.bookingId ?? null,
  });
  await broadcastChange(tx, "money", { admins: true });
}
