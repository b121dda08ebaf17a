import { implement } from "@orpc/server";
import { liveHold } from "#calendar/index.ts";
import { contractOf } from "#contracts/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { paymentBySession, refreshCheckout } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { acceptanceRoutes } from "./acceptance/acceptance.routes.ts";
import { bookingsApi, neutralMessage, type SessionReply } from "./api.ts";
import { automaticPaymentForPage } from "./balance/automatic-payment.ts";
import { balanceRoutes } from "./balance/balance.routes.ts";
import { recordConsent } from "./balance/consent.ts";
import {
  cancelBooking,
  endCheckoutsBefore,
  previewCancellation,
  requireCancelRequest,
} from "./cancellation/cancellation.ts";
import { startCheckout } from "./checkout/checkout.ts";
import { callerFrom, checkoutFor, checkoutOf, readingTimeOf, requesterFrom } from "./checkout/http.ts";
import { payLinkReply, readPayLink } from "./checkout/pay-link.views.ts";
import { confirmShow } from "./completion/completion.ts";
import { contractRoutes } from "./contract/contract.routes.ts";
import { correctEmail } from "./contract/correct-email.ts";
import { disputesRoutes } from "./disputes/disputes.routes.ts";
import { sendBookingLink } from "./emails/booking-link.ts";
import { forceMajeureRoutes } from "./force-majeure/force-majeure.routes.ts";
import { heldNightRoutes } from "./held-nights/held-nights.routes.ts";
import { endCheckoutAndHold } from "./lifecycle/checkout-holds.ts";
import { bookingKey, opensByLink } from "./links/access.ts";
import { listingRoutes } from "./listing/listing.routes.ts";
import { listAllBookings } from "./lists/admin-list.views.ts";
import { listArtistBookings, listPromoterBookings } from "./lists/own-lists.views.ts";
import { decideNoShow, reportNoShow, stateNoShow } from "./no-show/no-show.ts";
import { calendarFile } from "./page/calendar-files.ts";
import { contractInputOf, readBookingPage } from "./page/page.views.ts";
import {
  authorize,
  bookingMissing,
  hasRequested,
  isOnlyArtist,
  maySee,
  ownsBooking,
  provenEmailOf,
  relationTo,
  requireVerifiedMailbox,
  viewerOf,
} from "./policy.ts";
import { callerOf, grantKey } from "./request/booking-cookie.ts";
import { findBookingFor, findForArtist, lockBookingFor, lockForArtist } from "./request/booking-for-caller.ts";
import { checkBooking } from "./request/date-check.ts";
import { withinMailboxLimit, refuseBots, withinFormLimits } from "./request/form-limits.ts";
import { requireOffer } from "./request/offer.views.ts";
import { openInBrowser } from "./request/open-in-browser.ts";
import { confirmRequest, requestBooking } from "./request/requests.ts";
import { cancelerOf, type Relation } from "./rules/permissions.rules.ts";
import { type Booking, findBooking, requireBooking, requireLockedBooking } from "./store.ts";
import { unreconciledRoutes } from "./unreconciled/unreconciled.routes.ts";
import { artistOfBooking, fieldsForArtist, noRelation, toBookingResponse } from "./views.ts";

type Http = Context<Payments>;
const on = implement(bookingsApi).$context<Http>();

const consentOriginOf = ({ request }: Http) => ({
  address: request.ip,
  userAgent: request.headers.get("user-agent")?.slice(0, 400) ?? "",
});

/** Returns the booking and the role in which the caller may cancel it. Throws not found (404) for other callers, as for a missing booking. */
async function findToCancel(context: Http, id: string) {
  const { booking, relation } = await findBookingFor(context, id);
  const by = cancelerOf(relation);
  if (!by) throw bookingMissing();
  return { booking, by, relation };
}

/** Locks the booking for its promoter. Throws forbidden (403) if the caller's mailbox was not verified. */
async function lockForPromoter(tx: Tx, context: Http, id: string): Promise<Booking> {
  const { booking, relation } = await lockBookingFor(tx, context, id);
  authorize(relation.promoter);
  requireVerifiedMailbox(relation);
  return booking;
}

/** Returns the booking with the viewer's relation to it. Throws not found (404) for other viewers, as for a missing booking. */
async function findToSee(context: Http, id: string, link?: string) {
  context.reply.header("referrer-policy", "no-referrer");
  const booking = await requireBooking(context.db, id);
  const artist = await artistOfBooking(context.db, booking);
  const caller = callerOf(context);
  const known = relationTo(caller, booking, artist);
  const relation: Relation = {
    ...known,
    ...(opensByLink(context.services, booking, link) ? { promoter: true, mailboxUnverified: false } : {}),
  };
  authorize(maySee(relation));
  return { booking, artist, caller, relation };
}

async function readPage(context: Http, id: string, link?: string) {
  const { booking, artist, caller, relation } = await findToSee(context, id, link);
  return readBookingPage(context.db, booking, artist, {
    ...readingTimeOf(context),
    relation,
    isOwner: ownsBooking(caller, booking),
    requester: callerFrom(context, provenEmailOf(booking)),
  });
}

export const bookingsRoutes = on.router({
  request: on.request.handler(async ({ input, context }) => {
    refuseBots(context, input);
    const offer = await requireOffer(context.db, input.artistId);
    const requester = requesterFrom(context);
    const limited = { artistId: offer.artist.id, email: input.clientEmail };
    const store = () =>
      context.transaction(async (tx) => {
        const requested = await requestBooking(tx, input, offer, requester);
        const mayConsent = requested.mayGrant || hasRequested(requester.caller, requested.booking);
        if (mayConsent && (input.balanceConsent || !requested.isNew))
          await recordConsent(tx, requested.booking, {
            text: input.balanceConsent,
            origin: consentOriginOf(context),
            now: requester.now,
          });
        return requested;
      });
    const { booking, mayGrant } = await withinFormLimits(context, limited, store);
    if (mayGrant) grantKey(context, bookingKey(requester.keys, booking.id));
    const known = { artist_active: true, contract_status: null, held: false };
    return toBookingResponse(booking, known, {
      ...readingTimeOf(context),
      relation: { ...noRelation, promoter: !booking.needs_confirmation },
    });
  }),

  check: on.check.handler(({ input, context }) => checkBooking(context.db, input, callerFrom(context))),

  bySession: on.bySession.handler(async ({ input, context }): Promise<SessionReply> => {
    context.reply.header("referrer-policy", "no-referrer");
    const { sessionId } = input;
    const refresh = async (): Promise<void> => {
      if (input.state !== "stored") await refreshCheckout(context.services, sessionId);
    };
    let payment = await paymentBySession(context.db, sessionId);
    const booking = payment ? await findBooking(context.db, payment.booking_id) : undefined;
    const artist = booking ? await artistOfBooking(context.db, booking) : undefined;
    const caller = callerOf(context);
    const relation = booking && artist ? relationTo(caller, booking, artist) : undefined;
    if (!payment || !booking || !artist || !relation || !maySee(relation))
      return { found: false, message: neutralMessage, payer: await payLinkReply(context, sessionId, refresh) };
    if (payment.status !== "succeeded" && payment.status !== "refunded") {
      await refresh();
      payment = (await paymentBySession(context.db, sessionId)) ?? payment;
    }
    const { kind, amount, currency, status, payment_date, amount_refunded: refunded_cents } = payment;
    const hold = await liveHold(context.db, booking.id, context.services.clock.now());
    const contract = await contractOf(context.db, booking.id);
    const around = { artist_active: artist.is_active, ...contractInputOf(contract), held: hold !== undefined };
    return {
      found: true,
      payment: { kind, amount, currency, status, payment_date, refunded_cents },
      booking: {
        ...toBookingResponse(booking, around, { ...readingTimeOf(context), relation }),
        ...(isOnlyArtist(relation) ? fieldsForArtist(booking, readingTimeOf(context)) : {}),
        balance_paid_at: booking.balance_paid_at,
      },
      contract,
      artist,
      automatic_payment: await automaticPaymentForPage(context.db, booking, { ...readingTimeOf(context), relation }),
      viewer: viewerOf(relation, ownsBooking(caller, booking)),
    };
  }),

  payLink: on.payLink.handler(({ input, context }) => readPayLink(context.db, input, context.services.clock.now())),

  createContractAndCheckout: on.createContractAndCheckout.handler(({ input, context }) =>
    checkoutOf(context, input.booking_id),
  ),
  createCheckout: on.createCheckout.handler(({ input, context }) =>
    startCheckout(context.services, {
      ...checkoutFor(context, input.bookingId),
      kind: input.isDeposit ? "deposit" : "balance",
    }),
  ),

  releaseOwnHold: on.releaseOwnHold.handler(async ({ input, context }) => {
    const { booking, relation } = await findBookingFor(context, input.id);
    authorize(relation.promoter || relation.admin);
    const ended = await endCheckoutAndHold(context.services, booking.id, "promoter");
    if (ended === "already_paid") throw conflict("The deposit has just been paid. The date is booked.");
    if (ended === "none") throw conflict("This date is no longer held.", { data: { status: booking.status } });
    return { id: booking.id, released: true };
  }),

  confirmRequest: on.confirmRequest.handler(async ({ input, context }) => {
    await context.transaction(async (tx) => {
      const booking = await requireLockedBooking(tx, input.id);
      authorize(ownsBooking(callerOf(context), booking));
      await confirmRequest(tx, booking, { isOwn: input.is_own, now: context.services.clock.now() });
    });
    return readPage(context, input.id);
  }),

  read: on.read.handler(({ input, context }) => readPage(context, input.id, input.link)),

  calendar: on.calendar.handler(async ({ input, context }) => {
    const { booking, artist, relation } = await findToSee(context, input.id, input.link);
    return calendarFile(booking, artist, { relation, publicUrl: context.services.config.publicUrl });
  }),

  open: on.open.handler(async ({ input, context }) => {
    await findToSee(context, input.id, input.link);
    await context.transaction(async (tx) => {
      const booking = await requireLockedBooking(tx, input.id);
      if (opensByLink(context.services, booking, input.link)) await openInBrowser(tx, context, booking);
    });
    return readPage(context, input.id, input.link);
  }),

  cancellation: on.cancellation.handler(async ({ input, context }) => {
    const { booking, by } = await findToCancel(context, input.id);
    return previewCancellation(context.db, booking, { by, now: context.services.clock.now() });
  }),

  cancel: on.cancel.handler(async ({ input, context }) => {
    const { id, code, note, expected_refund_cents: expectedRefund } = input;
    const { booking, by, relation } = await findToCancel(context, id);
    requireVerifiedMailbox(relation);
    const request = { by, code, note: note || null, expectedRefund, now: context.services.clock.now() };
    // A refused request must not end the open checkouts.
    await requireCancelRequest(context.db, booking, request);
    await endCheckoutsBefore(context.services, booking, request);
    await context.transaction(async (tx) => cancelBooking(tx, await requireLockedBooking(tx, booking.id), request));
    return readPage(context, id);
  }),

  complete: on.complete.handler(async ({ input, context }) => {
    await context.transaction(async (tx) =>
      confirmShow(tx, await lockForPromoter(tx, context, input.id), context.services.clock.now()),
    );
    return readPage(context, input.id);
  }),

  reportNoShow: on.reportNoShow.handler(async ({ input, context }) => {
    const { note } = input;
    await context.transaction(async (tx) =>
      reportNoShow(tx, await lockForPromoter(tx, context, input.id), { note, now: context.services.clock.now() }),
    );
    return readPage(context, input.id);
  }),

  stateNoShow: on.stateNoShow.handler(async ({ input, context }) => {
    const { services } = context;
    const by = requireActor(context).userId;
    await context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, input.id);
      await stateNoShow(tx, services, booking, { statement: input.statement, by, now: services.clock.now() });
    });
    return readPage(context, input.id);
  }),

  decideNoShow: on.decideNoShow.handler(async ({ input, context }) => {
    const { id, release_cents: release, expected_held_cents: shownHeld, appeared, decision } = input;
    const by = requireActor(context).userId;
    await context.transaction(async (tx) =>
      decideNoShow(tx, await requireLockedBooking(tx, id), {
        release,
        shownHeld,
        appeared,
        decision,
        by,
        now: context.services.clock.now(),
      }),
    );
    return readPage(context, id);
  }),

  correctEmail: on.correctEmail.handler(async ({ input, context }) => {
    const { id, email } = input;
    const { services } = context;
    const network = limitBlock(context.request);
    await services.limits.hit(`corrected email ${network}`, 20, 3_600);
    // Strangers get not found (404) before they could use up the limit of an address.
    await findBookingFor(context, id);
    await withinMailboxLimit(context, email, () =>
      context.transaction(async (tx) => {
        const { booking, relation } = await lockBookingFor(tx, context, id);
        await correctEmail(tx, services, booking, { email, relation, userId: context.actor?.userId ?? null });
      }),
    );
    services.wake();
    return { corrected: true as const };
  }),

  sendLink: on.sendLink.handler(async ({ input, context }) => {
    await context.services.limits.hit(`booking link ${limitBlock(context.request)}`, 20, 3_600);
    await sendBookingLink(context.services, input.id);
    return {
      sent: true as const,
      message: "If this booking exists, we have emailed a new link to the address of its request.",
    };
  }),

  listAll: on.listAll.handler(({ input, context }) => listAllBookings(context.db, input, readingTimeOf(context))),
  listOfArtist: on.listOfArtist.handler(({ input, context }) =>
    listArtistBookings(context.db, requireActor(context).userId, input, readingTimeOf(context)),
  ),
  listOfPromoter: on.listOfPromoter.handler(({ input, context }) =>
    listPromoterBookings(context.db, requireActor(context).userId, input, readingTimeOf(context)),
  ),

  contract: contractRoutes,
  balance: balanceRoutes,
  forceMajeure: forceMajeureRoutes,
  acceptance: acceptanceRoutes,
  heldNights: heldNightRoutes,
  listing: listingRoutes,
  unreconciled: unreconciledRoutes,
  disputes: disputesRoutes,

  releaseHold: on.releaseHold.handler(async ({ input, context }) => {
    const { booking } = await findForArtist(context, input.id);
    const ended = await endCheckoutAndHold(context.services, booking.id, "artist");
    if (ended === "already_paid") throw conflict("The promoter has just paid. The date is booked.");
    if (ended === "none") throw conflict("This date is not on hold.", { data: { status: booking.status } });
    return { id: booking.id, released: true };
  }),
});
