/** Parse, load and lock, authorize, act, present. */
import { implement } from "@orpc/server";
import { paymentBySession, type Payments, refreshCheckout } from "#payments/index.ts";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { addressBlock } from "#platform/limits.ts";
import { bookingKey, grantKey } from "./request/access.ts";
import { bookingsApi, neutralMessage, type SessionReply } from "./api.ts";
import { endWithoutCheckout, startCheckout } from "./checkout/checkout.ts";
import { checkBooking, requireBookableArtist } from "./availability/check.ts";
import { endHold } from "./availability/holds.ts";
import type { IsOwn } from "./availability/own-holds.ts";
import { authorize, bookingMissing, hasAskedFor, mayPay, mayRelease, maySee } from "./policy.ts";
import { requestBooking } from "./request/requests.ts";
import { findBooking } from "./store.ts";
import { artistOfBooking, listAllBookings, listArtistBookings, listPromoterBookings, presentBooking } from "./views.ts";

type Caller = Context<Payments>;
const on = implement(bookingsApi).$context<Caller>();

/** Forms of one address in an hour, and requests to one artist in a day by people without a proven mailbox. */
const formLimits = { hour: { demo: 50, production: 5 }, artistDay: { demo: 200, production: 20 } } as const;

async function countForm({ services, request, actor }: Caller, artistId: string): Promise<void> {
  const mode = services.config.demo ? "demo" : "production";
  const sentence = "Too many requests were sent from here. Please wait a little and try again.";
  await services.limits.hit(`booking form ${addressBlock(request.ip)}`, formLimits.hour[mode], 3_600, sentence);
  if (actor?.emailVerified) return;
  await services.limits.hit(
    `booking artist ${artistId}`,
    formLimits.artistDay[mode],
    86_400,
    "This artist has many requests today. Sign in, or try again tomorrow.",
  );
}

const now = (context: Caller) => context.services.clock.now();
const isOwn =
  (context: Caller): IsOwn =>
  (booking) =>
    hasAskedFor(context, booking);

export const bookingsRoutes = on.router({
  request: on.request.handler(async ({ input, context }) => {
    const artist = await requireBookableArtist(context.db, input.artistId);
    await countForm(context, artist.id);
    const { keys } = context.services;
    const stored = await context.transaction((tx) =>
      requestBooking(tx, input, { now: now(context), actor: context.actor, keys, isOwn: isOwn(context) }),
    );
    grantKey(context.reply, context.request.cookies, bookingKey(keys, stored.id));
    return presentBooking(stored);
  }),

  check: on.check.handler(({ input, context }) =>
    checkBooking(context.db, input, {
      now: now(context),
      payments: context.services.gateway !== null,
      isOwn: isOwn(context),
    }),
  ),

  bySession: on.bySession.handler(async ({ input, context }): Promise<SessionReply> => {
    context.reply.header("referrer-policy", "no-referrer");
    let payment = await paymentBySession(context.db, input.sessionId);
    const booking = payment ? await findBooking(context.db, payment.booking_id) : undefined;
    const artist = booking ? await artistOfBooking(context.db, booking) : undefined;
    if (!payment || !booking || !artist || !maySee(context, booking, artist))
      return { found: false, message: neutralMessage };
    if (payment.status !== "succeeded" && payment.status !== "refunded") {
      await refreshCheckout(context.services, input.sessionId);
      payment = (await paymentBySession(context.db, input.sessionId)) ?? payment;
    }
    const { kind, amount, currency, status, payment_date, amount_refunded: refunded_cents } = payment;
    return {
      found: true,
      payment: { kind, amount, currency, status, payment_date, refunded_cents },
      booking: presentBooking(booking),
      artist,
    };
  }),

  createContractAndCheckout: on.createContractAndCheckout.handler(async ({ input, context }) => {
    const { booking_id } = input;
    const ended = await context.transaction((tx) => endWithoutCheckout(tx, context, booking_id));
    if (ended) return { booking_id, ...ended, checkout_url: null, session_id: null, held_until: null };
    const { url, ...opened } = await startCheckout(context, { bookingId: booking_id, kind: "deposit" });
    return { booking_id, reason: null, checkout_url: url, ...opened };
  }),

  createCheckout: on.createCheckout.handler(({ input, context }) =>
    startCheckout(context, { bookingId: input.bookingId, kind: input.isDeposit ? "deposit" : "balance" }),
  ),

  letGo: on.letGo.handler(async ({ input, context }) => {
    const booking = await findBooking(context.db, input.id);
    if (!booking) throw bookingMissing();
    authorize(mayPay(context, booking));
    const ended = await endHold(context.services, booking.id, "promoter");
    if (ended === "already_paid") throw new Problem("conflict", "The deposit has just been paid; the date is booked.");
    if (ended === "none")
      throw new Problem("conflict", "This date is not held any more.", { data: { status: booking.status } });
    return { id: booking.id, released: true };
  }),

  listAll: on.listAll.handler(({ input, context }) => listAllBookings(context.db, input, now(context))),
  listOfArtist: on.listOfArtist.handler(({ input, context }) =>
    listArtistBookings(context.db, requireActor(context).userId, input, now(context)),
  ),
  listOfPromoter: on.listOfPromoter.handler(({ input, context }) =>
    listPromoterBookings(context.db, requireActor(context).userId, input, now(context)),
  ),

  releaseHold: on.releaseHold.handler(async ({ input, context }) => {
    const booking = await findBooking(context.db, input.id);
    if (!booking) throw bookingMissing();
    authorize(mayRelease(context, await artistOfBooking(context.db, booking)));
    const ended = await endHold(context.services, booking.id, "artist");
    if (ended === "already_paid") throw new Problem("conflict", "The promoter has just paid; the date is booked.");
    if (ended === "none")
      throw new Problem("conflict", "Nobody holds this date at the moment.", { data: { status: booking.status } });
    return { id: booking.id, released: true };
  }),
});
