/** Who is told what about a booking: a line in the log, and letters through the notifications room. */
import { record } from "#activity/index.ts";
import { type Gig, enqueueMessage } from "#notifications/index.ts";
import type { PaymentFailed, Payments, PaymentSucceeded, RefundSucceeded } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import { makePayLink } from "../request/access.ts";
import { alarmOfPart, alarmOfReturn } from "./admin-alarms.ts";
import { balanceDue } from "../availability/check.ts";
import {
  type BookingDateLost,
  type BookingHoldReleased,
  type BookingRequested,
  type BookingStatusChanged,
  bookingStatusLabel,
  cancelReasons,
} from "../rules.ts";
import { type Booking, findBooking, heldUntil, lockReservation } from "../store.ts";
import { describeDay } from "#platform/calendar.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { artistMailbox, artistOfBooking } from "../views.ts";

type EmailContext = { booking: Booking; artist: Awaited<ReturnType<typeof artistOfBooking>>; services: Payments };

async function emailContextOf(tx: Tx, services: Payments, bookingId: string): Promise<EmailContext> {
  const booking = await findBooking(tx, bookingId);
  if (!booking) throw new Error(`there is no booking ${bookingId} to tell about`);
  return { booking, artist: await artistOfBooking(tx, booking), services };
}

const gigOf = ({ booking, artist }: EmailContext, link: string): Gig => ({
  artistName: artist.name,
  promoterName: booking.promoter_name,
  eventDate: booking.event_date,
  eventTime: booking.event_time,
  venueName: booking.venue_name,
  link,
});

const promoterPage = ({ services }: EmailContext) => `${services.config.publicUrl}${paths.promoterArea.bookings}`;
const artistPage = ({ services }: EmailContext) => `${services.config.publicUrl}${paths.artistArea.bookings}`;
const bookPage = ({ services, artist }: EmailContext) => `${services.config.publicUrl}${paths.book(artist.slug)}`;
const sum = ({ booking }: EmailContext, amount: number) => (amount > 0 ? { amount, currency: booking.currency } : null);
const refOf = (context: EmailContext, key: string) => ({
  refId: context.booking.id,
  dedupeKey: `${context.booking.id} ${key}`,
});
const place = ({ booking, artist }: EmailContext) =>
  `${artist.name}, ${describeDay(booking.event_date)}, ${booking.venue_name}`;

/** The link that pays: it works once, for whoever reads the mail. */
const payLink = (tx: Tx, { booking, services }: EmailContext, kind: "deposit" | "balance") =>
  makePayLink(tx, { bookingId: booking.id, kind, origin: services.config.publicUrl, now: services.clock.now() });

/** The promoter's mailbox; undefined when the account wants no letters of this kind. A request without an account gets all. */
async function promoterMailbox(
  tx: Tx,
  { booking }: EmailContext,
  wish: "emailBookingConfirmations" | "emailPaymentNotifications",
): Promise<string | undefined> {
  if (booking.promoter_user_id && !(await promoterSettings(tx, booking.promoter_user_id))[wish]) return undefined;
  return booking.promoter_email;
}

/** The artist's proven mailbox; undefined without one, or when the artist wants no letters of this kind. */
async function artistsMailbox(
  tx: Tx,
  { artist }: EmailContext,
  wish: "emailBookingRequests" | "emailPaymentNotifications",
): Promise<string | undefined> {
  if (!(await artistSettings(tx, artist.id))[wish]) return undefined;
  return (await artistMailbox(tx, artist.id)) ?? undefined;
}

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
    const link = pays ? await payLink(tx, context, "deposit") : bookPage(context);
    const params = { ...gigOf(context, link), price, deposit: pays ? sum(context, booking.deposit_cents) : null };
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

/** A booking moved: the log knows; a paid deposit confirms the date to both sides, a cancellation is told to both. */
export async function notifyStatusChanged(tx: Tx, services: Payments, event: BookingStatusChanged): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(context)}: ${bookingStatusLabel(event.from)} → ${bookingStatusLabel(event.to)}`,
    meta: { from: event.from, to: event.to, cause: event.cause },
  });
  if (event.to === "deposit_paid") await notifyBooked(tx, context);
  // A lost date has a letter of its own.
  if (event.to === "canceled" && event.cause !== cancelReasons.dateLost) await notifyCanceled(tx, context, event.cause);
  if (event.cause === cancelReasons.moneyReturned) await alarmOfReturn(tx, services, context.booking);
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

const causeWords: Partial<Record<string, string>> = {
  [cancelReasons.lapsed]: "The deposit was not paid before the event began.",
  [cancelReasons.moneyReturned]: "The deposit was given back.",
};

async function notifyCanceled(tx: Tx, context: EmailContext, cause: string): Promise<void> {
  const reason = causeWords[cause] ?? cause;
  const to = await promoterMailbox(tx, context, "emailBookingConfirmations");
  const key = refOf(context, "canceled");
  if (to)
    await enqueueMessage(tx, {
      template: "booking_canceled",
      channel: "email",
      to,
      params: { ...gigOf(context, promoterPage(context)), side: "promoter", reason },
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

/** The date was gone when the money came. Told whatever the promoter wants to be told: it is about money that goes back. */
export async function notifyDateLost(tx: Tx, services: Payments, event: BookingDateLost): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: event.currency };
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(context)}: the date was sold before the payment arrived`,
    meta: { ...refund, payment_id: event.paymentId },
  });
  await enqueueMessage(tx, {
    template: "date_lost",
    channel: "email",
    to: context.booking.promoter_email,
    params: { ...gigOf(context, bookPage(context)), refund },
    ...refOf(context, `lost ${event.paymentId}`),
  });
}

/** A hold ended without money. Its promoter gets a fresh link that pays. */
export async function notifyHoldReleased(tx: Tx, services: Payments, event: BookingHoldReleased): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { booking } = context;
  await record(tx, {
    type: "booking",
    refId: booking.id,
    message: `${place(context)}: the date is no longer held`,
    meta: { by: event.by },
  });
  if (booking.status !== "initiated" || booking.starts_at <= services.clock.now()) return;
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  if (!to) return;
  const link = await payLink(tx, context, "deposit");
  await enqueueMessage(tx, {
    template: "hold_ended",
    channel: "email",
    to,
    params: gigOf(context, link),
    ...refOf(context, `hold ${services.clock.now().toISOString()}`),
  });
}

/** A payment came through: the log knows; the balance is told to both sides, the deposit with the status it brings. */
export async function notifyPaid(tx: Tx, services: Payments, event: PaymentSucceeded): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency } = event;
  const context = await emailContextOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(context)} was paid`,
    meta: { payment_id: paymentId, amount, currency },
  });
  if (kind !== "balance" || context.booking.balance_payment_id !== paymentId) return;
  const paid = { amount, currency };
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  const key = refOf(context, `balance ${paymentId}`);
  if (to)
    await enqueueMessage(tx, {
      template: "balance_received",
      channel: "email",
      to,
      params: { ...gigOf(context, promoterPage(context)), side: "promoter", paid },
      ...key,
    });
  const artist = await artistsMailbox(tx, context, "emailPaymentNotifications");
  if (artist)
    await enqueueMessage(tx, {
      template: "balance_received",
      channel: "email",
      to: artist,
      params: { ...gigOf(context, artistPage(context)), side: "artist", paid },
      ...key,
    });
}

/** A bank declined. While the page is open the date stays held, and the letter says until when. */
export async function notifyPaymentFailed(tx: Tx, services: Payments, event: PaymentFailed): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency, reason } = event;
  const context = await emailContextOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(context)} was declined`,
    meta: { payment_id: paymentId, amount, currency, reason },
  });
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  if (!to || context.booking.status === "canceled") return;
  const gig = gigOf(context, await payLink(tx, context, kind));
  const due = { amount, currency };
  const reservation = await lockReservation(tx, bookingId);
  const key = refOf(context, `declined ${paymentId}`);
  if (reservation?.expires_at) {
    const params = { ...gig, due, heldUntil: heldUntil(reservation.expires_at), timeZone: context.booking.time_zone };
    await enqueueMessage(tx, { template: "checkout_declined", channel: "email", to, params, ...key });
  } else
    await enqueueMessage(tx, {
      template: "payment_failed",
      channel: "email",
      to,
      params: { ...gig, due, kind, reason },
      ...key,
    });
}

/** Money has gone back. Always told. */
export async function notifyRefunded(tx: Tx, services: Payments, event: RefundSucceeded): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: context.booking.currency };
  await record(tx, {
    type: "payment",
    refId: event.bookingId,
    message: `A refund for ${place(context)} has been sent`,
    meta: { ...refund, payment_id: event.paymentId, refund_id: event.refundId },
  });
  await enqueueMessage(tx, {
    template: "refund_sent",
    channel: "email",
    to: context.booking.promoter_email,
    params: { ...gigOf(context, bookPage(context)), refund },
    ...refOf(context, `refund ${event.refundId}`),
  });
  const { status, deposit_payment_id: deposit, balance_payment_id: balance } = context.booking;
  if (status !== "canceled" && [deposit, balance].includes(event.paymentId))
    await alarmOfPart(tx, services, context.booking, { id: event.refundId, ...refund });
}
