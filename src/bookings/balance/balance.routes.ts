import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { conflict } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { endCheckouts } from "../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { readingTimeOf, originOf } from "../checkout/http.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { makePayLink } from "../links/pay-links.ts";
import { authorize } from "../policy.ts";
import { findBookingFor, findForArtist, lockForArtist } from "../request/booking-for-caller.ts";
import { objectionStopsPayments } from "../rules/completion.rules.ts";
import { balanceLinkStatuses, unpayableBalance } from "../rules/permissions.rules.ts";
import { recordStep } from "../stores/balance.store.ts";
import { extendBalance, previewRelease, releaseUnpaid, requireRelease } from "./artist-decision.ts";
import { balanceApi } from "./balance.api.ts";
import { withdrawConsent } from "./consent.ts";

const on = implement(balanceApi).$context<Context<Payments>>();

const linksPerHour = 20;

export const balanceRoutes = on.router({
  createLink: on.createLink.handler(async ({ input, context }) => {
    const { id } = input;
    const { services } = context;
    await findForArtist(context, id);
    await services.limits.hit(`balance link of ${id}`, linksPerHour, 3_600);
    const { url, status } = await context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, id);
      if (!balanceLinkStatuses.has(booking.status) || booking.balance_cents === 0 || booking.balance_paid_at !== null)
        throw conflict("A balance link exists from the deposit until the balance is paid.", {
          data: { status: booking.status, version: booking.version },
        });
      if ((await completionBlockOf(tx, id)) === "objection") throw conflict(objectionStopsPayments);
      if (unpayableBalance(booking, readingTimeOf(context).payments))
        throw conflict("This balance cannot be paid on this site, so there is no link for it.");
      await recordStep(tx, { booking_id: id, round: 0, step: "link_created", at: services.clock.now() });
      await broadcastBookingChange(tx, id);
      const link = await makePayLink(tx, { booking, services }, "balance", originOf(context));
      return { url: link, status: booking.status };
    });
    return {
      id,
      url,
      message:
        status === "contract_signed"
          ? "It accepts a payment now, until the balance is paid."
          : "It accepts a payment once both of you have signed the contract.",
    };
  }),

  withdraw: on.withdraw.handler(async ({ input, context }) => {
    const { booking, relation } = await findBookingFor(context, input.id);
    authorize(relation.promoter);
    await withdrawConsent(context.services, booking.id);
    return { id: booking.id, withdrawn: true as const };
  }),

  extend: on.extend.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, input.id);
      await extendBalance(tx, context.services, booking, input.due_day);
      return { id: booking.id, due_day: input.due_day };
    }),
  ),

  previewRelease: on.previewRelease.handler(async ({ input, context }) => {
    const { booking } = await findForArtist(context, input.id);
    return previewRelease(context.db, booking, readingTimeOf(context));
  }),

  release: on.release.handler(async ({ input, context }) => {
    const request = { ...readingTimeOf(context), expectedRefund: input.expected_refund_cents };
    const { booking: seen } = await findForArtist(context, input.id);
    // A refused request must not end the promoter's open checkout.
    await requireRelease(context.db, seen, request);
    await endCheckouts(context.services, seen, "artist");
    return context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, input.id);
      await releaseUnpaid(tx, booking, request);
      return { id: booking.id, status: booking.status };
    });
  }),
});
