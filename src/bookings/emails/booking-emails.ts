/** Who is notified of what about a booking: a line in the log, and emails through the notifications module. */
import {
  artistPage,
  artistsMailbox,
  type EmailContext,
  emailContextOf,
  gigForPromoter,
  gigOf,
  payLink,
  place,
  promoterMailbox,
  promoterPage,
  refOf,
  sum,
} from "./email-context.ts";
import { record } from "#activity/index.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Payments } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { alarmOfReturn } from "./admin-alarms.ts";
import { balanceDue } from "../availability/check.ts";
import {
  type BookingHoldReleased,
  type BookingRequested,
  type BookingStatusChanged,
  bookingStatusLabel,
  cancelCodeText,
  type CancelCode,
  holdLimits,
  systemCancelCodes,
} from "../rules.ts";

/** A request arrived: the promoter gets the receipt with the link that pays, the artist the request. */
export async function notifyRequested(tx: Tx, services: Payments, event: BookingRequested): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { booking } = context;
  await record(tx, {
    type: "booking",
    refId: booking.id,
    message: `${booking.promoter_name} asks for ${place(context)}`,
    meta: {
      status: booking.status,
      fee_cents: booking.fee_cents,
      currency: booking.currency,
      event_type: booking.event_type,
    },
  });
  const pays = booking.deposit_cents > 0 && services.gateway !== null;
  const price = sum(context, booking.fee_cents);
  const to = await promoterMailbox(tx, context, "emailBookingConfirmations");
  if (to) {
    const link = pays ? await payLink(tx, context, "deposit") : promoterPage(context);
    const params = {
      ...gigForPromoter(context, link),
      price,
      deposit: pays ? sum(context, booking.deposit_cents) : null,
    };
    await enqueueMessage(tx, {
      template: "request_received",
      channel: "email",
      to,
      params,
      ...refOf(context, "requested"),
    });
  }
  const artist = await artistsMailbox(tx, context, "emailBookingRequests");
  if (!artist) return;
  const { event_type: eventType, guest_count: guestCount, duration, special_requests: specialRequests } = booking;
  const params = { ...gigOf(context, artistPage(context)), eventType, guestCount, duration, specialRequests, price };
  await enqueueMessage(tx, {
    template: "new_request",
    channel: "email",
    to: artist,
    params,
    ...refOf(context, "requested"),
  });
}

/** A booking changed its status: it is logged; a paid deposit confirms the date to both sides, both are notified of a cancellation. */
export async function notifyStatusChanged(tx: Tx, services: Payments, event: BookingStatusChanged): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(context)}: ${bookingStatusLabel(event.from)} → ${bookingStatusLabel(event.to)}`,
    meta: { from: event.from, to: event.to, by: event.by, cause: event.cause },
  });
  if (event.to === "deposit_paid") await notifyBooked(tx, context);
  if (event.to !== "canceled") return;
  const ownEmail = event.by === "system" && cancelCodesWithOwnEmail.has(event.cause);
  if (!ownEmail) await notifyCanceled(tx, context);
  if (event.by === "system" && event.cause === systemCancelCodes.moneyReturned)
    await alarmOfReturn(tx, services, context.booking);
}

async function notifyBooked(tx: Tx, context: EmailContext): Promise<void> {
  const { booking, services } = context;
  const due = {
    balance: sum(context, booking.balance_cents),
    balanceDue: balanceDue(booking.event_date, booking.time_zone, services.clock.now()),
  };
  const more = { price: sum(context, booking.fee_cents), ...due };
  const paid = { amount: booking.deposit_cents, currency: booking.currency };
  const sides = [
    {
      side: "promoter",
      link: promoterPage(context),
      booked: await promoterMailbox(tx, context, "emailBookingConfirmations"),
      money: await promoterMailbox(tx, context, "emailPaymentNotifications"),
    },
    {
      side: "artist",
      link: artistPage(context),
      booked: await artistsMailbox(tx, context, "emailBookingRequests"),
      money: await artistsMailbox(tx, context, "emailPaymentNotifications"),
    },
  ] as const;
  for (const { side, link, booked, money } of sides) {
    const gig = { ...gigOf(context, link), side };
    if (booked)
      await enqueueMessage(tx, {
        template: "booking_confirmation",
        channel: "email",
        to: booked,
        params: { ...gig, ...more },
        ...refOf(context, "booked"),
      });
    if (money)
      await enqueueMessage(tx, {
        template: "deposit_received",
        channel: "email",
        to: money,
        params: { ...gig, paid, ...due },
        ...refOf(context, "deposit"),
      });
  }
}

/** The email about a lost date includes its refund; a request that was replaced by its own promoter needs no email. */
const cancelCodesWithOwnEmail: ReadonlySet<string> = new Set([systemCancelCodes.dateLost, systemCancelCodes.replaced]);

async function notifyCanceled(tx: Tx, context: EmailContext): Promise<void> {
  const { cancel_code: code, cancel_note: note } = context.booking;
  const reason = note ?? (code && code !== "other" ? cancelCodeText[code as CancelCode] : null);
  const to = await promoterMailbox(tx, context, "emailBookingConfirmations");
  const key = refOf(context, "canceled");
  if (to)
    await enqueueMessage(tx, {
      template: "booking_canceled",
      channel: "email",
      to,
      params: { ...gigForPromoter(context, promoterPage(context)), side: "promoter", reason },
      ...key,
    });
  const artist = await artistsMailbox(tx, context, "emailBookingRequests");
  if (artist)
    await enqueueMessage(tx, {
      template: "booking_canceled",
      channel: "email",
      to: artist,
      params: { ...gigOf(context, artistPage(context)), side: "artist", reason },
      ...key,
    });
}

const holdEnds = {
  checkout: "expired",
  clock: "expired",
  promoter: "let_go",
  artist: "released_by_artist",
} as const satisfies Record<BookingHoldReleased["by"], string>;

/** A hold ended without money: its promoter reads who ended it, and when the date can be held again. */
export async function notifyHoldReleased(tx: Tx, services: Payments, event: BookingHoldReleased): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { booking } = context;
  const now = services.clock.now();
  await record(tx, {
    type: "booking",
    refId: booking.id,
    message: `${place(context)}: the date is no longer held`,
    meta: { by: event.by },
  });
  if (booking.status !== "initiated" || booking.starts_at <= now) return;
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  if (!to) return;
  const from = new Date(Math.ceil(now.getTime() / 60_000 + holdLimits.renewalMinutes) * 60_000);
  await enqueueMessage(tx, {
    template: "hold_ended",
    channel: "email",
    to,
    params: {
      ...gigForPromoter(context, promoterPage(context)),
      ended: holdEnds[event.by],
      again: from < booking.starts_at ? { from, timeZone: booking.time_zone } : null,
    },
    ...refOf(context, `hold ${now.toISOString()}`),
  });
}
