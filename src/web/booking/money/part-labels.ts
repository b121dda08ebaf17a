import { completionHours } from "#bookings/rules/deadlines.rules.ts";
import type { HeldBy, NextStep } from "#bookings/rules/money/money-parts.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { dayIn, formatDay, formatDeadline, localMoment } from "../../lib/format/dates.ts";
import { describePayout } from "../../lib/format/payouts.ts";
import { type AutomaticPayment, type BookingResponse, isPromoter } from "../status/progress.ts";

export type MoneyPart = BookingResponse["money"]["parts"][number];

export const partTones = {
  promoter_owes: "open",
  nobody: "open",
  platform: "held",
  artist_owed: "artist",
  artist: "artist",
  released: "artist",
  commission: "released",
  returning: "returning",
  bank: "returning",
  promoter: "returned",
} as const satisfies Record<HeldBy, string>;

const partNames = { deposit: "Deposit", balance: "Balance" } as const;

export function partName({ held_by, next, part }: MoneyPart, booking: BookingResponse): string {
  const artist = booking.viewer === "artist" ? "you" : booking.artist.name;
  const names: Record<HeldBy, string> = {
    promoter_owes: isPromoter(booking) ? "to be paid by you" : "promoter owes",
    nobody: "never paid, and no longer due",
    platform: "held by Stagedoor",
    artist_owed: `owed to ${artist}`,
    artist: `paid to ${artist}`,
    released: "released to the artist",
    commission: "commission of Stagedoor",
    returning: "being refunded",
    bank: isPromoter(booking) ? "withdrawn by the bank of the card" : "withdrawn by the payer's bank",
    promoter: "refunded",
  };
  const name = next === "after_dispute" ? "refund that waits" : names[held_by];
  if (part) return `${partNames[part]}, ${name}`;
  return capitalized(name);
}

/** Money that has left, on one day. Other money is held since a day. */
const hasLeft: ReadonlySet<HeldBy> = new Set(["artist", "released", "bank", "promoter"]);

/** Null for an amount that is due: "since" would read as overdue. */
export const partSince = ({ held_by, since, until }: MoneyPart): string | null =>
  held_by === "released" && until
    ? `from ${formatDay(localMoment(until).day, { short: true })}`
    : since && held_by !== "promoter_owes"
      ? `${hasLeft.has(held_by) ? "on" : "since"} ${formatDay(localMoment(since).day, { short: true })}`
      : null;

const dayOfShow = (at: Date, { time_zone: zone }: BookingResponse): string =>
  formatDay(dayIn(zone, at), { short: true });

/** Returns whether one text describes both the deposit and the balance. */
export const isHeldLike = (one: MoneyPart, other: MoneyPart | undefined): boolean =>
  one.held_by === "platform" &&
  other?.held_by === "platform" &&
  one.next === other.next &&
  one.until === other.until &&
  one.next !== "goes_back" &&
  one.next !== "appeal_won";

/** `isBoth`: the text describes the deposit and the balance, and `artist_cents` is the sum of both. */
export function partNext(held: MoneyPart, booking: BookingResponse, isBoth = false): string | null {
  const isArtist = booking.viewer === "artist";
  const artist = isArtist ? "you" : booking.artist.name;
  const payer = isPromoter(booking) ? "You pay" : "The promoter pays";
  const promoterConfirms = isPromoter(booking) ? "you confirm" : "the promoter confirms";
  const admin = (verb: string) => (booking.viewer === "admin" ? `you ${verb}` : `an admin ${verb}s`);
  const sum = (cents: number) => formatMoney(cents, booking.currency);
  // The last day in time, because `until` is the end of that day.
  const dueDay = (moment: string) => dayOfShow(new Date(new Date(moment).getTime() - 1), booking);
  const isHeld = isBoth ? "Both are held" : "Held";
  const whenReleased =
    held.artist_cents === null
      ? `then ${isBoth ? "they go" : "it goes"} to ${artist}`
      : `then ${sum(held.artist_cents)} goes to ${artist}`;
  const last = held.until
    ? ` At the latest ${formatDeadline(held.until)}: ${completionHours} hours after the show.`
    : "";
  const texts: Record<Exclude<NextStep, "end" | "payout">, string> = {
    pay_deposit: `Books the date when it is paid. An unpaid request ends when the show would begin${held.until ? `, on ${dayOfShow(new Date(held.until), booking)}` : ""}.`,
    pay_balance_once_signed: held.until
      ? `Due on ${dueDay(held.until)}, once both have signed.`
      : "Due as soon as both have signed.",
    pay_balance: held.until ? `Due on ${dueDay(held.until)}.` : "Due now.",
    balance_unpayable:
      booking.balance_unpayable === "too_small"
        ? `Too small for a card payment. ${payer} it directly to ${artist}.`
        : "It cannot be paid here because payments are not set up on this site.",
    balance_overdue: `Overdue. ${isArtist ? "You" : artist} can give more time or release the date ${held.until ? `from ${formatDeadline(held.until)}` : "now"}.`,
    artist_decides: `Overdue. ${isArtist ? "You decide" : `${artist} decides`}: more time, or the date is released.`,
    balance_or_end: `Waiting for the balance${held.until ? ` until ${formatDeadline(held.until)}` : ""}. If it is not paid, the booking ends and the cancellation terms apply.`,
    balance_stays_open: `Waiting for the balance. It could not be paid here for a time, so the booking stays open until it is paid or ${admin("cancel")} it.`,
    show:
      booking.status === "contract_sent"
        ? `${isHeld} until both have signed and ${promoterConfirms} the show, ${whenReleased}.`
        : `${isHeld} until ${promoterConfirms} the show, ${whenReleased}.${last}`,
    balance_then_show: `${isHeld} until the balance is paid and the show is over, ${whenReleased}.`,
    confirmation: `The show is over. ${isHeld} until ${promoterConfirms} it, ${whenReleased}.${last}`,
    no_show_decision: `${isHeld} until ${admin("decide")} about the reported no-show.`,
    objection_decision: `${held.held_by === "platform" ? isHeld : "Not due"} until ${admin("decide")} about the objection to the signature.`,
    dispute_end:
      held.held_by === "bank"
        ? `${isPromoter(booking) ? "It is disputed" : "The payer disputes it"} at the bank of the card, which withholds it until it has decided.`
        : `${isHeld} until the dispute has ended.`,
    goes_back: "It is refunded to the payer.",
    at_the_bank: "To the card it was paid with. Banks take 5 to 10 days.",
    after_dispute:
      "It waits until the dispute of the payment has ended. If the bank returns it to the payer, it is not refunded again.",
    refund_failed: `The refund has not reached the payer. ${booking.viewer === "admin" ? "Resolve it under Payments." : "We are reviewing it."}`,
    dispute: `${isPromoter(booking) ? "It was disputed" : "The payer disputed it"} at the bank of the card, which took it back.`,
    appeal_won: `The payer's bank returned it after the dispute was lost. ${capitalized(admin("decide"))} who gets it.`,
  };
  if (held.next === "end") return null;
  const charge = booking.automatic_payment;
  if (charge && (held.next === "pay_balance" || held.next === "pay_balance_once_signed")) return chargeText(charge);
  if (held.next === "payout") return payoutText(held, booking);
  return texts[held.next];
}

function chargeText({ state, card, charge }: AutomaticPayment): string {
  if (state === "charging") return `Is being charged to ${card} now.`;
  return `Charged to ${card} ${charge ? `on ${formatDay(charge.day, { short: true })}, ${charge.time} venue time` : "as soon as both have signed"}.`;
}

function payoutText({ payout }: MoneyPart, { money, viewer }: BookingResponse): string {
  if (!payout || !money.payout) return "To be sent to the payment account.";
  return `${capitalized(describePayout({ ...money.payout, ...payout }, viewer === "artist"))}.`;
}
