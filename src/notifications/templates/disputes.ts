import { capitalized } from "#platform/text.rules.ts";
import { type BookingDetails, otherName, recipientName, type Side } from "./bookings.ts";
import { type EmailContent, longDay, type Money, money, otherPayer, texts } from "./email.ts";

/** `byOther`: another person paid by the promoter's payment link. `isPaidOut`: the artist was paid before. `isPaidOutside`: at least a part of it outside the provider. `hasShare`: false if the booking ended with nothing for the artist. */
type DisputedPayment = { byOther: boolean; isPaidOut: boolean; hasShare: boolean; isPaidOutside?: boolean };

const noShare = "You have no share of this payment, so nothing changes for you.";

/** To both sides, when the payer disputes the payment. `inquiry`: no money is taken yet. `escalated`: it was an inquiry before. `deductible`: the most that the artist can lose of a payout. `waiting`: the refund of it that is not sent yet. */
export function disputeOpened(
  booking: BookingDetails &
    Side &
    DisputedPayment & {
      disputed: Money;
      reason: string;
      stage: "inquiry" | "opened" | "escalated";
      supportEmail: string;
      deductible: Money;
      waiting?: Money | null;
    },
): EmailContent {
  const day = longDay(booking.eventDate);
  const inquiry = booking.stage === "inquiry";
  const isArtist = booking.side === "artist";
  const { byOther, isPaidOut, hasShare, deductible } = booking;
  const bank = isArtist
    ? `the bank of ${byOther ? "the person who paid for " : ""}${booking.promoterName}`
    : byOther
      ? `the bank of ${otherPayer}`
      : "the bank of the card";
  const of = `your booking${isArtist ? "" : ` with ${booking.artistName}`} on ${day}`;
  const what = {
    inquiry: `${capitalized(bank)} has a question about ${money(booking.disputed)} of ${of}. No money has been withdrawn.`,
    opened: `${capitalized(bank)} disputes ${money(booking.disputed)} of ${of}.`,
    escalated: `The inquiry by ${bank} about ${of} is now a dispute of ${money(booking.disputed)}.`,
  }[booking.stage];
  const until = inquiry ? "the inquiry is closed" : "the bank has decided";
  const lost = inquiry ? "it becomes a dispute and is lost" : "the dispute is lost";
  const share = `your share of ${money(booking.disputed)}, at most ${money(deductible)},`;
  const deducted = booking.isPaidOutside
    ? `If ${lost}, you must pay back ${share} as far as it cannot be deducted from your payment account.`
    : `If ${lost}, ${share} is deducted from your payment account.`;
  return {
    subject: inquiry ? `${day}: the payer's bank asks about a payment` : `${day}: a payment is disputed`,
    name: recipientName(booking),
    paragraphs: [
      `${what} ${booking.reason}.`,
      ...(isArtist
        ? [
            `If we contest it, we send the bank the contract, the signatures and the details of the show. ${
              !hasShare
                ? noShare
                : isPaidOut
                  ? `You have already been paid for this booking. ${deductible.amount > 0 ? deducted : "Nothing more can be deducted."} The decision can take two to three months.`
                  : `Until ${until}, nothing is paid out for this booking. That can take two to three months.`
            }`,
            `If you have evidence, such as messages or pictures, send it soon to ${booking.supportEmail}.`,
          ]
        : [
            `Until ${until}, this payment cannot be refunded${isPaidOut || !hasShare ? "" : ", and nothing is paid out for this booking"}.${booking.waiting ? ` The refund of ${money(booking.waiting)} waits until then. We send it afterwards, unless the bank returns the money to the payer.` : ""}`,
            `If you know of no dispute, contact ${byOther ? otherPayer : bank} and write to ${booking.supportEmail}.`,
          ]),
    ],
    button: { label: "View booking", href: booking.link },
  };
}

type DisputeOutcome = "won" | "lost" | "closed" | "appeal_won";
type DisputeClosed = BookingDetails &
  Side &
  DisputedPayment & {
    disputed: Money;
    outcome: DisputeOutcome;
    answered: boolean;
    continues: boolean;
    share: Money;
    held: Money;
    rest: Money | null;
    heldAgain?: Money | null;
    refundDue?: Money | null;
    moved?: Money | null;
    missing?: Money | null;
    isCanceled?: boolean;
  };

/** To both sides, when the bank has decided. `share` was taken from the artist's money, `held` from held money. `appeal_won`: it was lost before. `answered`: we sent evidence. `continues`: the show is ahead. `rest`: the artist's share of what is left of the price, null once the booking has ended. `heldAgain`: what of `held` an appeal returned to the booking. `refundDue`: the refund of it that waited, or after an appeal the one that the loss had completed. `moved`: a later part that the bank returned after the appeal. `missing`: what it has not returned. */
export function disputeClosed(booking: DisputeClosed): EmailContent {
  const day = longDay(booking.eventDate);
  const isArtist = booking.side === "artist";
  const subjects: Record<DisputeOutcome, string> = {
    won: isArtist ? "the dispute was won" : "the bank has decided the dispute",
    lost: isArtist ? "the dispute was lost" : "the bank has returned a payment",
    closed: "the payer's bank has closed its inquiry",
    appeal_won: isArtist ? "the lost dispute was won on appeal" : "the bank has changed its decision",
  };
  const { moved, missing } = booking;
  const about = `${money(booking.disputed)} of your booking with ${otherName(booking)}`;
  const ends: Record<DisputeOutcome, string> = {
    won: isArtist ? `The dispute of ${about} has ended in your favor.` : `The dispute of ${about} has ended.`,
    lost: isArtist
      ? `The dispute of ${about} was lost. The payer keeps the money.${booking.answered ? "" : " We did not contest it, so no evidence was sent to the bank."}`
      : `The dispute of ${about} has ended. The bank of the card has returned the money to ${booking.byOther ? otherPayer : "the payer"}.`,
    closed: `The inquiry of the payer's bank about ${about} is closed.`,
    appeal_won: moved
      ? `The dispute of ${about} was won on appeal. The bank has returned ${money(moved)} since our last email.${missing ? stillMissing(missing) : " It has now returned all of the money."}`
      : `The dispute of ${about} was lost at first and has now been won on appeal.${missing ? stillMissing(missing) : " The bank has returned the money."}`,
  };
  const promoterText =
    booking.outcome === "lost"
      ? `This amount is not refunded again. ${
          booking.continues
            ? "The booking stays active, and you do not need to pay this amount again."
            : "The booking page shows what applies to the booking."
        }`
      : booking.refundDue && booking.outcome === "appeal_won"
        ? `Your refund of ${money(booking.refundDue)} had been completed by the lost dispute, so it is due again. We contact you about it.`
        : booking.refundDue
          ? `The refund of ${money(booking.refundDue)} that waited for this decision is due now. You get an email about it.`
          : booking.isCanceled && booking.outcome === "appeal_won"
            ? "The booking was canceled, so we decide who gets this money. The booking page shows it."
            : "The payment remains part of this booking.";
  return {
    subject: `${day}: ${moved ? "the bank has returned more money" : subjects[booking.outcome]}`,
    name: recipientName(booking),
    paragraphs: [ends[booking.outcome], ...(isArtist ? consequencesOf(booking) : [promoterText])],
    button: { label: "View booking", href: booking.link },
  };
}

const stillMissing = (missing: Money): string =>
  ` The bank has not returned ${money(missing)} of it yet. We email you when more arrives.`;

function consequencesOf(closed: DisputeClosed): string[] {
  const { outcome, share, held, isPaidOut, hasShare, continues, rest, heldAgain } = closed;
  if (!hasShare) return [noShare];
  if (outcome === "won" || outcome === "closed")
    return [
      `Nothing of this payment was taken from you. ${isPaidOut ? "You keep your share of it." : "Your share of it is paid out as planned."}`,
    ];
  if (outcome === "appeal_won") {
    if (share.amount + held.amount === 0) return ["Nothing was deducted from your share for the lost dispute."];
    // A booking that continues holds the money again automatically.
    const isDecided = share.amount > 0 || (!rest && (heldAgain?.amount ?? 0) < held.amount);
    return texts(
      heldAgain
        ? `${money(heldAgain)} is held for this booking again.${rest ? ` Your share of the price is now ${money(rest)}.` : ""}`
        : held.amount > 0 && !isDecided && "When its money has reached us, it is held for this booking again.",
      isDecided &&
        "The amount deducted for the lost dispute is not returned automatically. We will decide about your share and email you.",
    );
  }
  return texts(
    share.amount > 0 &&
      (closed.isPaidOutside
        ? `You lose your share of it, ${money(share)}. What cannot be deducted from your payout or your payment account must be paid back. If that is the case, we email you the amount.`
        : `We deduct your share of it, ${money(share)}, from ${isPaidOut ? "" : "your payout or from "}your payment account. If we cannot, we email you.`),
    held.amount > 0 &&
      `${money(held)} of what we held for this booking was returned to the payer. ${rest ? `Your share of the rest of the price is ${money(rest)}.` : "Your share is calculated from the rest."}`,
    share.amount + held.amount === 0 && "Nothing is deducted from your share.",
    continues && "The booking stays active.",
  );
}

/** `untaken`: what of the share was not deducted yet, so it is not sent. */
export function disputeShareReturned(booking: BookingDetails & Record<"disputed" | "share" | "untaken", Money>) {
  const { share, untaken } = booking;
  const sent = { ...share, amount: share.amount - untaken.amount };
  const kept = `${money(untaken)} of it was not deducted yet, so you do not need to pay it back.`;
  const paid = `We send ${money(sent)} to your payment account. If you have none, set one up on your payouts page. You get an email when it is sent.`;
  return {
    subject: `${longDay(booking.eventDate)}: ${sent.amount > 0 ? `you get ${money(sent)} back` : `you keep ${money(share)}`}`,
    name: booking.artistName,
    paragraphs: [
      `The lost dispute of ${money(booking.disputed)} of your booking with ${booking.promoterName} was won on appeal. We return your share of it, ${money(share)}.`,
      ...[untaken.amount > 0 ? kept : "", sent.amount > 0 ? paid : ""].filter(Boolean),
    ],
    button: { label: "View booking", href: booking.link },
  };
}
