import { findHoldNotice } from "#calendar/holds/index.ts";
import { canHoldFrom, type HoldChanged, holdRules } from "#calendar/queue.rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage, promoterWants, type TemplateParams } from "#notifications/index.ts";
import { attemptsToPay } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { unlessAddress } from "#platform/email-address.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import { verifiedMailbox } from "#users/index.ts";
import { emailContextOf, paymentLinks, posterOf, promoterPage, moneyOrNull } from "../emails/email-context.ts";
import { artistRecipients, type Recipients, smsOf } from "../emails/notify-party.ts";
import { enteredHoldMessages } from "./entered-holds.views.ts";

/** Sends the messages about a changed hold to its promoter and to the artist. A hold that the artist entered for a name has no promoter's account. */
export async function notifyHoldChanged(tx: Tx, services: Payments, event: HoldChanged): Promise<void> {
  const hold = await findHoldNotice(tx, event.holdNightId);
  if (!hold) return;
  const { publicUrl } = services.config;
  const { minimumNotice } = await artistSettings(tx, hold.artist_id);
  const attempts = hold.booking_id === null ? [] : await attemptsToPay(tx, hold.booking_id, "deposit");
  const momentText = (at: string | undefined) => (at ? formatInstant(new Date(at), hold.time_zone) : null);
  const request = event.bookingId ? await emailContextOf(tx, services, event.bookingId) : null;
  const params = {
    artistName: hold.artist_name,
    poster: request && posterOf(request),
    promoterName: nameOf(hold),
    night: hold.night,
    rank: event.rank,
    until: formatInstant(new Date(event.until), hold.time_zone),
    change: event.change,
    reason: event.reason ?? null,
    byAdmin: event.byAdmin ?? false,
    isBlocked: event.isBlocked ?? false,
    isHidden: event.isHidden ?? false,
    bookedNight: event.bookedNight ?? null,
    endingNights: event.endingNights ?? [],
    canHoldAgain: (event.endingNights ?? [hold.night]).every((night) =>
      canHoldFrom(night, new Date(new Date(event.until).getTime() + holdRules.againDays * dayMs), {
        zone: hold.time_zone,
        notice: minimumNotice,
      }),
    ),
    mayBePaid: attempts.some(({ mayBePaid, createdAt }) => mayBePaid && createdAt >= hold.held_at),
    paysFrom: momentText(event.paysFrom),
    aloneUntil: momentText(event.aloneUntil),
  };
  const deposit = request && moneyOrNull(request, request.booking.deposit_cents);
  const promoterId = request ? request.booking.promoter_user_id : hold.promoter_user_id;
  const links = !request
    ? { link: `${publicUrl}${paths.promoterArea.holds}` }
    : event.change === "busy"
      ? { link: promoterPage(request) }
      : await paymentLinks(tx, request, "deposit");
  const isEntered = hold.entered_name !== null;
  // Before the account confirms, only `notifyRequested` writes to it.
  const isAsked = event.change === "requested" && request?.booking.needs_confirmation;
  if (promoterId && !isAsked) {
    const settings = await promoterSettings(tx, promoterId);
    const email = promoterWants(settings, "hold_changed", "email") ? await verifiedMailbox(tx, promoterId) : null;
    const usesSms = event.change !== "ends_soon" && promoterWants(settings, "hold_changed", "sms");
    const to = { ...(email ? { email } : {}), ...(usesSms ? await smsOf(tx, promoterId) : {}) };
    const enteredNights = isEntered && event.change === "placed" ? hold.hold_nights : null;
    // A hold that the artist entered sends the account no text of the artist.
    const own = isEntered && !event.byAdmin ? { reason: null } : {};
    await send(
      tx,
      isEntered ? await withinEnteredLimit(tx, services, to) : to,
      { ...params, ...own, side: "promoter", promoterName: hold.promoter_name ?? "", enteredNights, deposit, ...links },
      isEntered ? { refId: hold.hold_id, ...(enteredNights ? { dedupeKey: `${hold.hold_id} placed` } : {}) } : {},
    );
  } else if (request && !promoterId) {
    // The mailbox is not verified, so its email omits the name that the artist entered.
    const to = { email: request.booking.promoter_email };
    await send(tx, to, { ...params, side: "promoter", promoterName: "", deposit, ...links });
  }
  const isForPromoterOnly =
    event.isBlocked ||
    event.change === "ends_soon" ||
    event.change === "busy" ||
    (event.change === "moved" && event.order?.length === 0);
  if (isForPromoterOnly) return;
  const artist = { id: hold.artist_id, user_id: hold.artist_user_id };
  await send(tx, await artistRecipients(tx, artist, "hold_changed"), {
    ...params,
    side: "artist",
    order: await namesOf(tx, event.order ?? []),
    deposit,
    link: `${publicUrl}${paths.artistArea.heldNight(hold.night)}`,
  });
}

type Named = NonNullable<Awaited<ReturnType<typeof findHoldNotice>>>;

const nameOf = ({ deleted_at, entered_name, promoter_name }: Named) =>
  deleted_at ? "a promoter (account deleted)" : (entered_name ?? (unlessAddress(promoter_name) || "A promoter"));

async function namesOf(tx: Tx, holdNightIds: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const id of holdNightIds) {
    const hold = await findHoldNotice(tx, id);
    if (hold) names.push(nameOf(hold));
  }
  return names;
}

const enteredHoldMessagesPerDay = { demo: 50, production: 5 } as const;

async function withinEnteredLimit(tx: Tx, { config }: Payments, to: Recipients): Promise<Recipients> {
  const max = enteredHoldMessagesPerDay[config.demo ? "demo" : "production"];
  const allowed: Recipients = {};
  for (const channel of ["email", "sms"] as const) {
    const recipient = to[channel];
    if (recipient && (await enteredHoldMessages(tx, recipient)) < max) allowed[channel] = recipient;
  }
  return allowed;
}

async function send(
  tx: Tx,
  to: Recipients,
  params: TemplateParams<"hold_changed">,
  about: { refId?: string; dedupeKey?: string } = {},
): Promise<void> {
  for (const channel of ["email", "sms"] as const) {
    const recipient = to[channel];
    if (recipient) await enqueueMessage(tx, { template: "hold_changed", channel, to: recipient, params, ...about });
  }
}
