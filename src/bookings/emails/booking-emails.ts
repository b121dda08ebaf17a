/** Who is told what about a booking: a line in the log, and letters through the notifications room. */
import { record } from "#activity/index.ts";
import { type Gig, tell } from "#notifications/index.ts";
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
import { type Booking, findBooking, heldUntil, lockClaim } from "../store.ts";
import { dayWords } from "#platform/calendar.rules.ts";
import { artistMailbox, artistOfBooking } from "../views.ts";

type Story = { booking: Booking; artist: Awaited<ReturnType<typeof artistOfBooking>>; services: Payments };

async function storyOf(tx: Tx, services: Payments, bookingId: string): Promise<Story> {
  const booking = await findBooking(tx, bookingId);
  if (!booking) throw new Error(`there is no booking ${bookingId} to tell about`);
  return { booking, artist: await artistOfBooking(tx, booking), services };
}

const gigOf = ({ booking, artist }: Story, link: string): Gig => ({
  artistName: artist.name,
  promoterName: booking.promoter_name,
  eventDate: booking.event_date,
  eventTime: booking.event_time,
  venueName: booking.venue_name,
  link,
});

const promoterPage = ({ services }: Story) => `${services.config.publicUrl}/promoter/bookings`;
const artistPage = ({ services }: Story) => `${services.config.publicUrl}/artist/bookings`;
const bookPage = ({ services, artist }: Story) => `${services.config.publicUrl}/book/${artist.slug}`;
const sum = ({ booking }: Story, amount: number) => (amount > 0 ? { amount, currency: booking.currency } : null);
const refOf = (story: Story, key: string) => ({ refId: story.booking.id, dedupeKey: `${story.booking.id} ${key}` });
const place = ({ booking, artist }: Story) => `${artist.name}, ${dayWords(booking.event_date)}, ${booking.venue_name}`;

/** The link that pays: it works once, for whoever reads the mail. */
const payLink = (tx: Tx, { booking, services }: Story, kind: "deposit" | "balance") =>
  makePayLink(tx, { bookingId: booking.id, kind, origin: services.config.publicUrl, now: services.clock.now() });

/** The promoter's mailbox; undefined when the account wants no letters of this kind. A request without an account gets all. */
async function promoterMailbox(
  tx: Tx,
  { booking }: Story,
  wish: "emailBookingConfirmations" | "emailPaymentNotifications",
): Promise<string | undefined> {
  if (booking.promoter_user_id && !(await promoterSettings(tx, booking.promoter_user_id))[wish]) return undefined;
  return booking.promoter_email;
}

/** The artist's proven mailbox; undefined without one, or when the artist wants no letters of this kind. */
async function artistsMailbox(
  tx: Tx,
  { artist }: Story,
  wish: "emailBookingRequests" | "emailPaymentNotifications",
): Promise<string | undefined> {
  if (!(await artistSettings(tx, artist.id))[wish]) return undefined;
  return (await artistMailbox(tx, artist.id)) ?? undefined;
}

/** A request arrived: the promoter gets the receipt with the link that pays, the artist the request. */
export async function tellRequested(tx: Tx, services: Payments, event: BookingRequested): Promise<void> {
  const story = await storyOf(tx, services, event.bookingId);
  const { booking } = story;
  await record(tx, {
    type: "booking",
    refId: booking.id,
    message: `${booking.promoter_name} asks for ${place(story)}`,
    meta: {
      status: booking.status,
      fee_cents: booking.fee_cents,
      currency: booking.currency,
      event_type: booking.event_type,
    },
  });
  const pays = booking.deposit_cents > 0 && services.gateway !== null;
  const price = sum(story, booking.fee_cents);
  const to = await promoterMailbox(tx, story, "emailBookingConfirmations");
  if (to) {
    const link = pays ? await payLink(tx, story, "deposit") : bookPage(story);
    const params = { ...gigOf(story, link), price, deposit: pays ? sum(story, booking.deposit_cents) : null };
    await tell(tx, { template: "request_received", channel: "email", to, params, ...refOf(story, "requested") });
  }
  const artist = await artistsMailbox(tx, story, "emailBookingRequests");
  if (!artist) return;
  const { event_type: eventType, guest_count: guestCount, duration, special_requests: specialRequests } = booking;
  const params = { ...gigOf(story, artistPage(story)), eventType, guestCount, duration, specialRequests, price };
  await tell(tx, { template: "new_request", channel: "email", to: artist, params, ...refOf(story, "requested") });
}

/** A booking moved: the log knows; a paid deposit confirms the date to both sides, a cancellation is told to both. */
export async function tellStatusChanged(tx: Tx, services: Payments, event: BookingStatusChanged): Promise<void> {
  const story = await storyOf(tx, services, event.bookingId);
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(story)}: ${bookingStatusLabel(event.from)} → ${bookingStatusLabel(event.to)}`,
    meta: { from: event.from, to: event.to, cause: event.cause },
  });
  if (event.to === "deposit_paid") await tellBooked(tx, story);
  // A lost date has a letter of its own.
  if (event.to === "canceled" && event.cause !== cancelReasons.dateLost) await tellCanceled(tx, story, event.cause);
  if (event.cause === cancelReasons.moneyReturned) await alarmOfReturn(tx, services, story.booking);
}

async function tellBooked(tx: Tx, story: Story): Promise<void> {
  const { booking, services } = story;
  const due = {
    balance: sum(story, booking.balance_cents),
    balanceDue: balanceDue(booking.event_date, booking.time_zone, services.clock.now()),
  };
  const more = { price: sum(story, booking.fee_cents), ...due };
  const paid = { amount: booking.deposit_cents, currency: booking.currency };
  const sides = [
    {
      side: "promoter",
      link: promoterPage(story),
      booked: await promoterMailbox(tx, story, "emailBookingConfirmations"),
      money: await promoterMailbox(tx, story, "emailPaymentNotifications"),
    },
    {
      side: "artist",
      link: artistPage(story),
      booked: await artistsMailbox(tx, story, "emailBookingRequests"),
      money: await artistsMailbox(tx, story, "emailPaymentNotifications"),
    },
  ] as const;
  for (const { side, link, booked, money } of sides) {
    const gig = { ...gigOf(story, link), side };
    if (booked)
      await tell(tx, {
        template: "booking_confirmation",
        channel: "email",
        to: booked,
        params: { ...gig, ...more },
        ...refOf(story, "booked"),
      });
    if (money)
      await tell(tx, {
        template: "deposit_received",
        channel: "email",
        to: money,
        params: { ...gig, paid, ...due },
        ...refOf(story, "deposit"),
      });
  }
}

const causeWords: Partial<Record<string, string>> = {
  [cancelReasons.lapsed]: "The deposit was not paid before the event began.",
  [cancelReasons.moneyReturned]: "The deposit was given back.",
};

async function tellCanceled(tx: Tx, story: Story, cause: string): Promise<void> {
  const reason = causeWords[cause] ?? cause;
  const to = await promoterMailbox(tx, story, "emailBookingConfirmations");
  const key = refOf(story, "canceled");
  if (to)
    await tell(tx, {
      template: "booking_canceled",
      channel: "email",
      to,
      params: { ...gigOf(story, promoterPage(story)), side: "promoter", reason },
      ...key,
    });
  const artist = await artistsMailbox(tx, story, "emailBookingRequests");
  if (artist)
    await tell(tx, {
      template: "booking_canceled",
      channel: "email",
      to: artist,
      params: { ...gigOf(story, artistPage(story)), side: "artist", reason },
      ...key,
    });
}

/** The date was gone when the money came. Told whatever the promoter wants to be told: it is about money that goes back. */
export async function tellDateLost(tx: Tx, services: Payments, event: BookingDateLost): Promise<void> {
  const story = await storyOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: event.currency };
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(story)}: the date was sold before the payment arrived`,
    meta: { ...refund, payment_id: event.paymentId },
  });
  await tell(tx, {
    template: "date_lost",
    channel: "email",
    to: story.booking.promoter_email,
    params: { ...gigOf(story, bookPage(story)), refund },
    ...refOf(story, `lost ${event.paymentId}`),
  });
}

/** A hold ended without money. Its promoter gets a fresh link that pays. */
export async function tellHoldReleased(tx: Tx, services: Payments, event: BookingHoldReleased): Promise<void> {
  const story = await storyOf(tx, services, event.bookingId);
  const { booking } = story;
  await record(tx, {
    type: "booking",
    refId: booking.id,
    message: `${place(story)}: the date is no longer held`,
    meta: { by: event.by },
  });
  if (booking.status !== "initiated" || booking.starts_at <= services.clock.now()) return;
  const to = await promoterMailbox(tx, story, "emailPaymentNotifications");
  if (!to) return;
  const link = await payLink(tx, story, "deposit");
  await tell(tx, {
    template: "hold_ended",
    channel: "email",
    to,
    params: gigOf(story, link),
    ...refOf(story, `hold ${services.clock.now().toISOString()}`),
  });
}

/** A payment came through: the log knows; the balance is told to both sides, the deposit with the status it brings. */
export async function tellPaid(tx: Tx, services: Payments, event: PaymentSucceeded): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency } = event;
  const story = await storyOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(story)} was paid`,
    meta: { payment_id: paymentId, amount, currency },
  });
  if (kind !== "balance" || story.booking.balance_payment_id !== paymentId) return;
  const paid = { amount, currency };
  const to = await promoterMailbox(tx, story, "emailPaymentNotifications");
  const key = refOf(story, `balance ${paymentId}`);
  if (to)
    await tell(tx, {
      template: "balance_received",
      channel: "email",
      to,
      params: { ...gigOf(story, promoterPage(story)), side: "promoter", paid },
      ...key,
    });
  const artist = await artistsMailbox(tx, story, "emailPaymentNotifications");
  if (artist)
    await tell(tx, {
      template: "balance_received",
      channel: "email",
      to: artist,
      params: { ...gigOf(story, artistPage(story)), side: "artist", paid },
      ...key,
    });
}

/** A bank declined. While the page is open the date stays held, and the letter says until when. */
export async function tellPaymentFailed(tx: Tx, services: Payments, event: PaymentFailed): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency, reason } = event;
  const story = await storyOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(story)} was declined`,
    meta: { payment_id: paymentId, amount, currency, reason },
  });
  const to = await promoterMailbox(tx, story, "emailPaymentNotifications");
  if (!to || story.booking.status === "canceled") return;
  const gig = gigOf(story, await payLink(tx, story, kind));
  const due = { amount, currency };
  const claim = await lockClaim(tx, bookingId);
  const key = refOf(story, `declined ${paymentId}`);
  if (claim?.expires_at) {
    const params = { ...gig, due, heldUntil: heldUntil(claim.expires_at), timeZone: story.booking.time_zone };
    await tell(tx, { template: "checkout_declined", channel: "email", to, params, ...key });
  } else
    await tell(tx, { template: "payment_failed", channel: "email", to, params: { ...gig, due, kind, reason }, ...key });
}

/** Money has gone back. Always told. */
export async function tellRefunded(tx: Tx, services: Payments, event: RefundSucceeded): Promise<void> {
  const story = await storyOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: story.booking.currency };
  await record(tx, {
    type: "payment",
    refId: event.bookingId,
    message: `A refund for ${place(story)} has been sent`,
    meta: { ...refund, payment_id: event.paymentId, refund_id: event.refundId },
  });
  await tell(tx, {
    template: "refund_sent",
    channel: "email",
    to: story.booking.promoter_email,
    params: { ...gigOf(story, bookPage(story)), refund },
    ...refOf(story, `refund ${event.refundId}`),
  });
  const { status, deposit_payment_id: deposit, balance_payment_id: balance } = story.booking;
  if (status !== "canceled" && [deposit, balance].includes(event.paymentId))
    await alarmOfPart(tx, services, story.booking, { id: event.refundId, ...refund });
}
