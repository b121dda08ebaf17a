import type { BookingPage } from "../booking.api.ts";
import { agreedDivision, type AgreementSide, mayAgree } from "../rules/force-majeure.rules.ts";
import type { Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import type { Proposal } from "../stores/force-majeure.store.ts";
import { refundOf } from "./force-majeure.ts";

/** Returns the party of a caller with several relations to the booking, or undefined for an admin. */
export const sideOf = ({ promoter, mailboxUnverified, artist }: Relation): AgreementSide | undefined =>
  promoter && !mailboxUnverified ? "promoter" : artist ? "artist" : undefined;

/** Returns the proposal and the viewer's actions, or null if no agreement is possible. The promoter sees the artist's part before the commission. `held` is in cents. */
export function forceMajeureOf(
  booking: Booking,
  { proposals, held }: { proposals: readonly Proposal[]; held: number },
  { relation, now }: { relation: Relation; now: Date },
): BookingPage["force_majeure"] {
  if (!mayAgree(booking, now)) return null;
  const side = sideOf(relation);
  const open = proposals.find(({ closed_at, expires_at }) => closed_at === null && expires_at > now);
  const { commission_bps: bps } = booking;
  const seesCommission = relation.artist || relation.admin;
  const page = { paid_cents: held, commission_bps: seesCommission ? bps : null };
  if (!open) return { ...page, can_propose: side !== undefined, proposal: null };
  const refund = refundOf(open, held);
  const { artist, commission } = agreedDivision(held, Math.min(refund ?? open.refund_cents, held), bps);
  return {
    ...page,
    can_propose: false,
    proposal: {
      id: open.id,
      by: open.proposed_by,
      reason: open.reason,
      refund_cents: refund ?? open.refund_cents,
      artist_keeps_cents: seesCommission ? artist : artist + commission,
      commission_cents: seesCommission ? commission : null,
      expires_at: open.expires_at,
      outdated: refund === undefined,
      can_answer: side !== undefined && side !== open.proposed_by,
      can_withdraw: side === open.proposed_by,
    },
  };
}
