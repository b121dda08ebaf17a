import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import {
  acceptDispute,
  bookingOfDispute,
  disputesOf,
  type DisputeView,
  requestEvidence,
  returnShares,
} from "#disputes/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { drawBankCopy } from "../contract/document/bank-copy.ts";
import { ensureDocument } from "../contract/sending.ts";
import { type Booking, findBooking, requireBooking } from "../store.ts";
import { disputesApi, type ShownDispute } from "./disputes.api.ts";
import { type BookingEvidence, collectEvidence } from "./evidence.ts";

type Http = Context<Payments>;
const on = implement(disputesApi).$context<Http>();

async function disputedBooking({ db }: Http, disputeId: string) {
  const found = await bookingOfDispute(db, disputeId);
  const booking = found?.booking_id ? await findBooking(db, found.booking_id) : undefined;
  if (!found || !booking) throw notFound("Dispute not found");
  return { booking, providerPayment: found.provider_payment };
}

/** Records what an admin did about a dispute, and notifies the open pages of its booking. `text` follows the admin's name. */
async function recordAction(tx: Tx, context: Http, booking: Booking, text: string, meta: object): Promise<void> {
  const { userId, name } = requireActor(context);
  const message = `${name} ${text}`;
  await recordActivity(tx, { type: "payment", refId: booking.id, actorId: userId, message, meta });
  await broadcastBookingChange(tx, booking.id);
}

export const disputesRoutes = on.router({
  list: on.list.handler(async ({ input, context }) => {
    const booking = await requireBooking(context.db, input.id);
    const disputes = await disputesOf(context.db, booking.id);
    if (disputes.length === 0) return { items: [] };
    await ensureDocument(context.services, booking.id);
    const now = context.services.clock.now();
    const items: ShownDispute[] = [];
    for (const dispute of disputes) {
      const of = { providerPayment: dispute.provider_payment, note: "", now };
      items.push(toResponse(dispute, await collectEvidence(context.db, booking, of)));
    }
    return { items };
  }),

  accept: on.accept.handler(async ({ input, context }) => {
    const { booking } = await disputedBooking(context, input.id);
    // The provider is called outside transactions, and its response is synced before the log entry.
    if (!(await acceptDispute(context.services, input.id)))
      throw conflict("The payment provider has already closed this dispute. Reload the page to see the result.");
    const text = `accepted a dispute of ${booking.number} instead of answering it`;
    await context.transaction((tx) => recordAction(tx, context, booking, text, { dispute_id: input.id }));
    return { id: input.id, accepted: true as const };
  }),

  returnShare: on.returnShare.handler(async ({ input, context }) => {
    const { booking } = await disputedBooking(context, input.id);
    return context.transaction(async (tx) => {
      const { artist, platform, currency } = await returnShares(tx, {
        disputeId: input.id,
        bookingId: booking.id,
        expectedArtist: input.expected_artist_cents,
        now: context.services.clock.now(),
      });
      const text = `returned the artist's share of a dispute of ${booking.number}: ${formatMoneyExact(artist, currency)}`;
      await recordAction(tx, context, booking, text, { dispute_id: input.id, artist, platform, currency });
      return { id: input.id, artist_cents: artist, platform_cents: platform };
    });
  }),

  send: on.send.handler(async ({ input, context }) => {
    const { services } = context;
    const { booking, providerPayment } = await disputedBooking(context, input.id);
    const bytes = await drawBankCopy(services, booking);
    return context.transaction(async (tx) => {
      const now = services.clock.now();
      const { texts, file } = await collectEvidence(tx, booking, { providerPayment, note: input.note, now });
      const files = file && bytes ? [{ ...file, bytes }] : [];
      await requestEvidence(tx, { disputeId: input.id, by: requireActor(context).userId, texts, files, now });
      const pieces = [...Object.keys(texts), ...files.map(({ field }) => field)].join(", ");
      const text = `sent the evidence against a dispute of ${booking.number}`;
      await recordAction(tx, context, booking, text, { dispute_id: input.id, pieces });
      return { id: input.id, sent: true as const };
    });
  }),
});

/** Returns the evidence as it was sent. Before that it returns what would be sent now. */
function toResponse(view: DisputeView, collected: BookingEvidence): ShownDispute {
  const { evidence } = view;
  const sent = evidence !== null && evidence.status !== "failed";
  const shows = sent || view.can_send;
  const texts = sent ? evidence.texts : collected.texts;
  const files = sent ? evidence.files : collected.file ? [collected.file.name] : [];
  return {
    ...view,
    sandbox: view.provider === "sandbox",
    contract_id: shows && files.length > 0 ? collected.contractId : null,
    pieces: shows
      ? [
          ...files.map((file) => ({ field: "customer_signature", text: null, file })),
          ...Object.entries(texts).map(([field, text]) => ({ field, text, file: null })),
        ]
      : [],
  };
}
