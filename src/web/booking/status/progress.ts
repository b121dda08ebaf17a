import type { HeldBy } from "#bookings/rules/money/money-parts.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { reviewWindowEnd } from "#reviews/rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { currentTime } from "../../lib/clock.ts";
import {
  formatDay,
  formatDayAndMonth,
  formatRelativeMoment,
  formatDeadline,
  localToday,
} from "../../lib/format/dates.ts";

/** The booking as JSON: times are ISO strings. */
export type BookingResponse = Awaited<ReturnType<(typeof browserApi)["bookings"]["read"]>>;

export type AutomaticPayment = NonNullable<BookingResponse["automatic_payment"]>;

export type Step = Readonly<{ title?: string; text: string; when?: string | undefined; done?: boolean }>;

export type StatusMessage = Readonly<{ title: string; text: string; tone: "" | "gold" | "blue" | "green" | "cherry" }>;

export const isPromoter = ({ viewer }: Pick<BookingResponse, "viewer">): boolean =>
  viewer === "promoter" || viewer === "guest";

export const isBalanceFarAhead = ({ can, money: { balance_due: day } }: BookingResponse): boolean =>
  can.pay === "balance" && day !== null && day > addDays(localToday(), 14);

export const isShowOver = ({ ends_at: end }: Pick<BookingResponse, "ends_at">): boolean =>
  new Date(end) <= currentTime();

/** Returns true while the viewer can review the other party, or has done so a few days ago. */
export function isReviewOpen({ viewer, timeline }: Pick<BookingResponse, "viewer" | "timeline">): boolean {
  const completed = timeline.find(({ kind }) => kind === "completed");
  return viewer !== "admin" && completed !== undefined && currentTime() < reviewWindowEnd(new Date(completed.at));
}

/** Returns the open balance once the show has begun. The artist can then neither give more time nor release the date. */
export const unpaidAfterStart = ({ status, money }: BookingResponse) =>
  status === "contract_signed"
    ? money.parts.find(({ next }) => next === "balance_or_end" || next === "balance_stays_open")
    : undefined;

export function unpaidAfterStartMessage(booking: BookingResponse): StatusMessage {
  const { balance, can, promoter_name: name, viewer } = booking;
  const until = unpaidAfterStart(booking)?.until;
  const isPayer = isPromoter(booking);
  const adminOptions = [
    can.pay === "balance" ? `pay it on behalf of ${name}` : "",
    can.cancel ? "cancel the booking" : "",
  ].filter(Boolean);
  const texts = [
    balance ? `It ${describeDue(balance)}.` : "",
    can.pay === "balance" && isPayer ? "Pay it now." : "",
    until
      ? `${isPayer ? "You" : name} can pay it until ${formatDeadline(until)}. Otherwise the booking ends and the cancellation terms apply.`
      : "The booking stays open until it is paid or an admin cancels it.",
    can.create_balance_link ? `You can create a balance link for ${name}.` : "",
    viewer === "admin" && adminOptions.length > 0 ? `You can ${adminOptions.join(" or ")}.` : "",
  ];
  return { title: "The balance is overdue.", text: texts.filter(Boolean).join(" "), tone: "cherry" };
}

/** Returns the message of a booking whose money was divided after a no-show. Undefined if nothing was refunded. */
export function dividedMessage(booking: BookingResponse): StatusMessage | undefined {
  const { no_show: report, viewer } = booking;
  if (!report?.refunded_cents) return undefined;
  const payer = isPromoter(booking) ? "to the card it was paid with" : "to the payer";
  const artist = viewer === "artist" ? "is yours" : "was released to the artist";
  return {
    title: "The reported no-show is decided.",
    text: report.released_cents
      ? `A part of the payment is refunded ${payer}. The rest ${artist}.`
      : `The payment is refunded ${payer}.`,
    tone: "",
  };
}

/** Returns the party that must sign before the viewer by the template's order. Null for all other cases. */
export function signsBefore({ contract, status, viewer }: BookingResponse): "promoter" | "artist" | null {
  const first = contract?.first_signer ?? null;
  if (first === null || status !== "contract_sent" || contract?.status !== "sent" || viewer === "admin") return null;
  const isMine = first === (viewer === "artist" ? "artist" : "promoter");
  const hasSigned = contract.signers.some(({ side, signed_at }) => side === first && signed_at !== null);
  return isMine || hasSigned ? null : first;
}

type SigningOrder = Readonly<{
  viewer: BookingResponse["viewer"];
  contract: Pick<NonNullable<BookingResponse["contract"]>, "first_signer" | "signers"> | null;
}>;

/** A former owner of the profile may have signed for the artist. */
const ownSignature = (side: "artist" | "promoter") =>
  side === "artist" ? "The artist has signed." : "You have signed.";

export function describeSigningOrder({ contract, viewer }: SigningOrder): string {
  const first = contract?.first_signer ?? null;
  if (first === null) return describeFreeOrder({ contract, viewer });
  const second = first === "artist" ? "promoter" : "artist";
  const hasSigned = contract?.signers.some(({ side, signed_at }) => side === first && signed_at !== null);
  if (viewer === "admin")
    return hasSigned ? `The ${first} has signed. The ${second} signs next.` : `The ${first} signs first.`;
  if (first === (viewer === "artist" ? "artist" : "promoter"))
    return hasSigned
      ? `${ownSignature(first)} The ${second} signs next.`
      : `You sign first. The ${second} signs after you.`;
  return hasSigned
    ? `The ${first} has signed. It is your turn.`
    : `The ${first} signs first. You get an email when it is your turn.`;
}

function describeFreeOrder({ contract, viewer }: SigningOrder): string {
  const signed = contract?.signers.find(({ signed_at }) => signed_at !== null)?.side;
  if (!signed) return `Either ${viewer === "admin" ? "side" : "of you"} can sign first.`;
  const missing = signed === "artist" ? "promoter" : "artist";
  if (viewer === "admin") return `The ${signed} has signed. The signature of the ${missing} is missing.`;
  return signed === (viewer === "artist" ? "artist" : "promoter")
    ? `${ownSignature(signed)} The signature of the ${missing} is missing.`
    : `The ${signed} has signed. Your signature is missing.`;
}

export function describeAutomaticPayment({ state, card, charge }: AutomaticPayment): string {
  if (state === "charging") return `The balance is being charged to ${card} now.`;
  const when = charge
    ? `on ${formatDay(charge.day, { year: true })}, ${charge.time.replace(/^0/, "")} venue time`
    : "as soon as both have signed";
  return `The balance will be charged to ${card} ${when}.`;
}

export function describeUnpayable({ balance_unpayable: reason, viewer }: BookingResponse): string {
  const balance = "The balance cannot be paid here: ";
  if (reason === "too_small")
    return `${balance}it is too small for a card payment. ${viewer === "admin" ? "They pay it directly to each other" : "Please pay it directly to each other"}. The booking remains active.`;
  const then = {
    artist: "The booking remains active. We request the payment once payments are set up.",
    admin: "Until payments are set up, no payment is requested. The booking remains active.",
    promoter: "The booking remains active. We email you once you can pay it.",
  };
  return `${balance}payments are not set up on this site. ${then[viewer === "guest" ? "promoter" : viewer]}`;
}

export const describeWithoutPayment = ({ money }: BookingResponse): string =>
  money.fee_cents === 0
    ? "The price is on request."
    : money.deposit_cents > 0
      ? "Payments are not set up on this site."
      : "Payments were not set up on this site when it was sent.";

/** States that the automatic charge was declined and what follows. Empty otherwise. */
export const describeDecline = (booking: BookingResponse): string => {
  if (!booking.balance?.charge_declined) return "";
  return isPromoter(booking)
    ? "Your saved card was declined and is not charged again. Pay the balance yourself. "
    : `The saved card was declined and is not charged again. ${booking.promoter_name} must pay the balance. `;
};

export const describeDue = ({ due_day }: NonNullable<BookingResponse["balance"]>): string =>
  due_day ? `was due on ${formatDayAndMonth(due_day)}` : "was due when both had signed";

export function describeReturned(booking: BookingResponse): string {
  const waiting = booking.money.parts.find(({ next }) => next === "after_dispute");
  const text = describeDivision(booking);
  return waiting
    ? `${text} ${formatMoney(waiting.cents, booking.currency)} of the refund waits until the dispute of the payment has ended. If the bank returns it to the payer, it is not refunded again.`
    : text;
}

function describeDivision({ money, canceled_by: by, viewer }: BookingResponse): string {
  if (money.paid_cents === 0) return "Nothing was charged.";
  if (by === "both") return `${viewer === "admin" ? "Both parties" : "You both"} agreed how the payment is divided.`;
  // An admin's cancellation refunds everything, except after a withdrawn signature, whose division the admin decides.
  const terms = by === "admin" ? "an admin's decision" : "the cancellation terms";
  const kinds = new Set<HeldBy>(money.parts.map(({ held_by: kind }) => kind));
  if (kinds.has("released") || kinds.has("artist_owed") || kinds.has("artist"))
    return kinds.has("promoter") || kinds.has("returning") || kinds.has("bank")
      ? `The payment is divided by ${terms}.`
      : `By ${terms}, the payment is not refunded.`;
  const isOpen = money.parts.some(
    ({ held_by: kind, next }) => next === "refund_failed" || (kind === "platform" && next !== "goes_back"),
  );
  return isOpen || kinds.has("bank")
    ? "The section Money shows where each part of the payment is."
    : `The payment is refunded in full${kinds.has("promoter") ? "" : " to the card it was paid with"}.`;
}

const showStart = ({ event_date, event_time }: BookingResponse) =>
  `${formatDay(event_date, { short: true })} ${event_time}`;
export const showTimeOf = ({ time_zone }: BookingResponse) => `Local time (${formatTimeZone(time_zone)})`;

/** Returns when an entry of the timeline happened, in the viewer's time zone. The show has the local time of its place. */
export const momentOf = (
  booking: BookingResponse,
  { at, kind }: Pick<BookingResponse["timeline"][number], "at" | "kind">,
): string => (kind === "show" ? showStart(booking) : formatRelativeMoment(at));

export function stepsAhead(booking: BookingResponse): Step[] {
  const { status, money, automatic_payment: automatic, artist, promoter_name: promoter } = booking;
  if (status === "canceled" || status === "completed") return [];
  if (status === "initiated" && booking.answered_by_email && booking.answer_due_at === null)
    return [
      {
        title: "The answer",
        text: booking.viewer === "artist" ? `You answer ${promoter} by email.` : `${artist.name} answers by email.`,
      },
    ];
  const isSigned = status === "contract_signed";
  const hasBegun = booking.timeline.some(({ kind }) => kind === "show");
  const steps: (Step | false)[] = [
    status === "initiated" &&
      booking.answer_due_at !== null && {
        title: "The answer",
        text: `${booking.artist.name} accepts or declines. Accepting books the date.`,
        when: `by ${formatDeadline(booking.answer_due_at)}`,
      },
    status === "initiated" &&
      money.deposit_cents > 0 && { title: "The deposit", text: "Books the date when it is paid." },
    status === "contract_sent" && { title: "The signatures", text: describeSigningOrder(booking) },
    status !== "contract_sent" &&
      !isSigned && {
        title: "The contract",
        text: `Sent by email, for ${booking.viewer === "admin" ? "both sides" : "both of you"} to sign.`,
      },
    money.balance_cents > 0 &&
      !booking.balance_paid && {
        title: "The balance",
        ...(automatic
          ? chargeStep(automatic)
          : {
              text: `${formatMoney(money.balance_cents, booking.currency)}${isSigned ? "" : ", once both have signed"}`,
              when: money.balance_due ? `by ${formatDayAndMonth(money.balance_due)}` : undefined,
            }),
      },
    !hasBegun && {
      title: "The show",
      text: `${showTimeOf(booking)}. We pay ${booking.viewer === "artist" ? "you" : "the artist"} after the show.`,
      when: showStart(booking),
    },
  ];
  return steps.filter((step) => step !== false);
}

export const chargeStep = ({ card, charge }: AutomaticPayment): Pick<Step, "text" | "when"> => ({
  text: `Charged to ${card}${charge ? "" : " as soon as both have signed"}.`,
  when: charge ? `on ${formatDayAndMonth(charge.day)}` : undefined,
});
