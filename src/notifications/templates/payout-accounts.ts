import { bankFreezeHours } from "#payouts/accounts.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { BookingDetails } from "./bookings.ts";
import { type EmailContent, day, longDay, type Money, money } from "./email.ts";

const accountStates = {
  not_started: "is not set up",
  pending: "is not complete",
  restricted: "is restricted by the payment provider",
};

/** To an artist, once per payout, when it is due and the payment account is not complete. `isReturned`: it is the share of a dispute that was lost and then won. */
export const payoutAwaitsAccount = (
  booking: BookingDetails & { due: Money; account: keyof typeof accountStates; isReturned?: boolean },
): EmailContent => ({
  subject: `${money(booking.due)} for ${day(booking.eventDate)} waits for your payment account`,
  name: booking.artistName,
  paragraphs: [
    `Your ${booking.isReturned ? "share" : "payout"} of ${money(booking.due)} for ${booking.promoterName} on ${longDay(booking.eventDate)} is due${booking.isReturned ? " again, because the dispute was won" : ""}. We cannot send it, because your payment account ${accountStates[booking.account]}.`,
    `${booking.account === "not_started" ? "Set up the account" : "Open the account and complete what is missing"} on your payouts page. We then send the money automatically. Until then, the platform holds the money for you.`,
  ],
  button: { label: "View payouts", href: booking.link },
  details: [
    ["Booking", booking.number],
    ["Date", longDay(booking.eventDate)],
    [booking.isReturned ? "Returned share" : "Payout", money(booking.due)],
  ],
});

/** To an artist, when a refund of the booking failed. Payouts wait until each refund has arrived. */
export const payoutAwaitsRefund = (booking: BookingDetails & { due: Money }): EmailContent => ({
  subject: `${money(booking.due)} for ${day(booking.eventDate)} waits for a refund`,
  name: booking.artistName,
  paragraphs: [
    `A refund to ${booking.promoterName} could not be made yet. Your payout of ${money(booking.due)} for ${longDay(booking.eventDate)} waits until the refund has arrived.`,
    "We are working on it, and you do not need to do anything.",
  ],
  button: { label: "View payouts", href: booking.link },
  details: [
    ["Booking", booking.number],
    ["Date", longDay(booking.eventDate)],
    ["Payout", money(booking.due)],
  ],
});

/** To an artist, when the bank account of payouts has changed. Payouts wait, because an attacker may have changed it. */
export const payoutBankChanged = (to: {
  artistName: string;
  until: Date;
  timeZone: string;
  link: string;
}): EmailContent => ({
  subject: "The bank account of your payouts was changed",
  name: to.artistName,
  paragraphs: [
    `Your payouts now go to another bank account than before. For your security, we make no payout before ${formatInstant(to.until, to.timeZone)}.`,
    "If that was you, you do not need to do anything. If it was not, change your password, sign in to the payment provider to restore your bank account, and contact us.",
  ],
  button: { label: "View payouts", href: to.link },
});

export const payoutAccountRestricted = ({ artistName, link }: { artistName: string; link: string }): EmailContent => ({
  subject: "Your payment account is restricted",
  name: artistName,
  paragraphs: [
    "The payment provider has restricted your payment account. We hold your earnings until the restriction ends.",
    "Open the account on your payouts page to see what you need to do.",
  ],
  button: { label: "View payouts", href: link },
});

/** `sum`: the returned amount, or "money" if it is unknown. The shows of it are not known here: the provider pays out what the account holds. */
export const payoutBankFailed = (to: {
  artistName: string;
  sum: string;
  reason: string | null;
  link: string;
}): EmailContent => ({
  subject: "Your bank did not accept a payout",
  name: to.artistName,
  paragraphs: [
    `Your bank has returned ${to.sum} that the payment provider sent to your bank account.${to.reason ? ` The reason: “${to.reason}”.` : ""} The money is in your payment account.`,
    `Open the account on your payouts page, and correct the bank account. The payment provider then sends the money again. The wait of ${bankFreezeHours} hours after a change of the bank account does not apply to this money.`,
  ],
  button: { label: "View payouts", href: to.link },
});

/** To an artist, when the payment account was closed at the provider. `reason` completes "Your payment account …". */
export const payoutAccountEnded = (to: { artistName: string; reason: string; link: string }): EmailContent => ({
  subject: "Your payment account has ended",
  name: to.artistName,
  paragraphs: [
    `Your payment account ${to.reason}. We no longer send money there. The platform holds your earnings for you.`,
    `Set up a new account on your payouts page. If it has another bank account, payouts to it begin ${bankFreezeHours} hours after you add it, for your security. We then send all pending payouts there.`,
  ],
  button: { label: "Set up a new account", href: to.link },
});
