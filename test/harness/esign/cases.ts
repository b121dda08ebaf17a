/** Shared by tests of signing services: bookings without a contract, evidence, alarms, cancellations. */

import { cancelBooking, previewCancellation } from "#bookings/cancellation/cancellation.ts";
import { lockBooking } from "#bookings/store.ts";
import { peopleOf } from "../bookings.ts";
import { contractRow, evidenceEntries } from "../contracts.ts";
import { type services, type Signing, signingWay } from "./suite.ts";

export type SigningService = Awaited<ReturnType<typeof signingService>>;

export async function signingService(way: (typeof services)[number]) {
  const at = await signingWay(way);
  if (!at.double) throw new Error("there is no double");
  const { double } = at;
  /** Signs for both parties at the service, without a webhook. */
  const signBothThere = async (bookingId: string) => {
    const ref = await at.refOf(bookingId);
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
  };
  return { ...at, double, signBothThere, ...casesAt(at) };
}

/** Returns test actions besides signing, for any way of signing. */
export function casesAt(at: Signing) {
  const acts = async (bookingId: string) =>
    (await evidenceEntries(at.app, bookingId)).map(({ kind, side }) => (side ? `${kind} ${side}` : kind));
  const alarms = async (bookingId: string) =>
    (
      await at.app.database.db
        .selectFrom("messages")
        .select("text")
        .where("template", "=", "money_alarm")
        .where("ref_id", "=", bookingId)
        .execute()
    ).map(({ text }) => text);
  const unsent = async () => {
    const performer = await peopleOf(() => at.app).person("artist");
    const artist = await peopleOf(() => at.app).artist({ userId: performer.user.id });
    return at.app.make.booking({ artistId: artist.id, status: "deposit_paid", now: at.app.clock.now() });
  };
  const envelopesOf = async (bookingId: string) => {
    const { id } = await contractRow(at.app, bookingId);
    return (at.double?.envelopes ?? []).filter(({ externalId }) => externalId.startsWith(id));
  };
  const later = (seconds: number) => at.app.clock.advance(seconds * 1_000);
  /** Ends the time for signing, for the second time. */
  const endTime = (bookingId: string, now = at.app.clock.now()) =>
    at.app.database.db
      .updateTable("contracts")
      .set({ expires_at: now, extended_at: now })
      .where("booking_id", "=", bookingId)
      .execute();
  const beginShow = (bookingId: string) =>
    at.app.database.db
      .updateTable("bookings")
      .set({ starts_at: at.app.clock.now() })
      .where("id", "=", bookingId)
      .execute();
  return { acts, alarms, unsent, envelopesOf, later, endTime, beginShow };
}

export async function cancelNow(at: Signing, bookingId: string): Promise<void> {
  const now = at.app.clock.now();
  await at.app.database.transaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (!booking) throw new Error("the booking is gone");
    const { refund_cents: expectedRefund } = await previewCancellation(tx, booking, { by: "promoter", now });
    await cancelBooking(tx, booking, { by: "promoter", code: "plans_changed", note: null, expectedRefund, now });
  });
}
