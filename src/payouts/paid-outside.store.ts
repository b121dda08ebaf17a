import { updateById, type Tx } from "#platform/db/index.ts";

const paidAt = (now: Date) => ({
  status: "succeeded" as const,
  paid_outside_at: now,
  settled_amount: null,
  settled_currency: null,
  needs_lookup: false,
  last_error: null,
  updated_at: now,
});

/** `earnerId`: the user who earned the transfer, because the profile can have another owner later. */
export const writeTransferPaidOutside = (
  tx: Tx,
  id: string,
  { earnerId, now }: { earnerId: string | null; now: Date },
) => updateById(tx, "transfers", id, { ...paidAt(now), sent_at: now, earner_id: earnerId });

export const writeReversalPaidOutside = (tx: Tx, id: string, now: Date) =>
  updateById(tx, "transfer_reversals", id, paidAt(now));
