import { findHoldNotice } from "#calendar/holds/index.ts";
import type { HoldChanged } from "#calendar/queue.rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { artistWants, enqueueMessage, promoterWants, type TemplateParams } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { artistSettings, platformSettings, promoterSettings } from "#settings/index.ts";
import { verifiedMailbox, verifiedPhone } from "#users/index.ts";
import { emailContextOf, paymentLinks, posterOf, sum } from "../emails/email-context.ts";

type Params = TemplateParams<"hold_changed">;

/** Sends the messages about a changed hold to its promoter and to the artist. A hold that the artist entered for a name has no promoter's account. */
export async function notifyHoldChanged(tx: Tx, services: Payments, event: HoldChanged): Promise<void> {
  const hold = await findHoldNotice(tx, event.holdNightId);
  if (!hold) return;
  const { publicUrl } = services.config;
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
    bookedNight: event.bookedNight ?? null,
    endingNights: event.endingNights ?? [],
    paysFrom: momentText(event.paysFrom),
    aloneUntil: momentText(event.aloneUntil),
  };
  const deposit = request && sum(request, request.booking.deposit_cents);
  const promoterId = request ? request.booking.promoter_user_id : hold.promoter_user_id;
  const links = request
    ? await paymentLinks(tx, request, "deposit")
    : { link: `${publicUrl}${paths.promoterArea.holds}` };
  if (promoterId) {
    const promoter = await promoterSettings(tx, promoterId);
    await send(tx, promoterId, {
      email: promoterWants(promoter, "hold_changed", "email"),
      sms: event.change !== "ends_soon" && promoterWants(promoter, "hold_changed", "sms"),
      params: { ...params, side: "promoter", deposit, ...links },
    });
  } else if (request) {
    // The mailbox is not verified, so its email omits the name that the artist entered.
    const to = request.booking.promoter_email;
    const unproven = { ...params, side: "promoter" as const, promoterName: "", deposit, ...links };
    await enqueueMessage(tx, { template: "hold_changed", channel: "email", to, params: unproven });
  }
  const isForPromoterOnly =
    event.isBlocked || event.change === "ends_soon" || (event.change === "moved" && event.order?.length === 0);
  if (!hold.artist_user_id || isForPromoterOnly) return;
  const artist = await artistSettings(tx, hold.artist_id);
  await send(tx, hold.artist_user_id, {
    email: artistWants(artist, "hold_changed", "email"),
    sms: artistWants(artist, "hold_changed", "sms"),
    params: {
      ...params,
      side: "artist",
      order: await namesOf(tx, event.order ?? []),
      deposit,
      link: `${publicUrl}${paths.artistArea.heldNight(hold.night)}`,
    },
  });
}

type Named = NonNullable<Awaited<ReturnType<typeof findHoldNotice>>>;

const nameOf = ({ entered_name, promoter_name }: Named) => entered_name ?? (promoter_name || "A promoter");

async function namesOf(tx: Tx, holdNightIds: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const id of holdNightIds) {
    const hold = await findHoldNotice(tx, id);
    if (hold) names.push(nameOf(hold));
  }
  return names;
}

async function send(tx: Tx, userId: string, to: { email: boolean; sms: boolean; params: Params }): Promise<void> {
  const { params } = to;
  const mailbox = to.email ? await verifiedMailbox(tx, userId) : null;
  if (mailbox) await enqueueMessage(tx, { template: "hold_changed", channel: "email", to: mailbox, params });
  const usesSms = to.sms && (await platformSettings(tx)).smsProvider !== "none";
  const phone = usesSms ? await verifiedPhone(tx, userId) : null;
  if (phone) await enqueueMessage(tx, { template: "hold_changed", channel: "sms", to: phone, params });
}
