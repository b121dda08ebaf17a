/** The emails about money that went another way than it was meant to. */
import { formatInstant } from "#platform/calendar.rules.ts";
import type { EmailContent } from "../email.ts";
import { longDay, type Money, money } from "../format.ts";
import type { Gig } from "./bookings.ts";

/** To the payer: a payment that cannot be kept goes back in full. `reason` completes "It goes back because …". */
export function moneyReturned(gig: Gig & { refund: Money; reason: string }): EmailContent {
  return {
    subject: `Your payment of ${money(gig.refund)} goes back`,
    name: gig.promoterName,
    paragraphs: [
      `A payment of ${money(gig.refund)} for ${gig.artistName} on ${longDay(gig.eventDate)} has reached us. It goes back because ${gig.reason}.`,
      "The full amount returns to the card it came from; banks take 5 to 10 days to show it. You need not do anything.",
    ],
    button: { label: "See the booking", href: gig.link },
    facts: [
      ["Artist", gig.artistName],
      ["Date", longDay(gig.eventDate)],
      ["Goes back", money(gig.refund)],
    ],
  };
}

/** To an artist: the bank account that payouts go to is another one. Payouts wait, so that a stranger who changed it gains nothing. */
export const payoutBankChanged = ({
  artistName,
  until,
  link,
}: {
  artistName: string;
  until: Date;
  link: string;
}): EmailContent => ({
  subject: "The bank account of your payouts was changed",
  name: artistName,
  paragraphs: [
    `The bank account that your payouts go to was changed at the payment provider. For your safety no payout is made before ${formatInstant(until, "UTC")}.`,
    "If that was you, you need not do anything. If it was not, change your password, sign in to the payment provider and set your own bank account, and write to us.",
  ],
  button: { label: "See your payouts", href: link },
});

/** To an admin: money did something that a person should look at. */
export const moneyAlarm = ({
  message,
  link,
  about = "money",
}: {
  message: string;
  link: string;
  about?: "money" | "contract";
}): EmailContent => ({
  subject: about === "money" ? "Money that needs a look" : "A contract that needs a look",
  paragraphs: [message],
  button: { label: "See the booking", href: link },
  after: ["You get this email because you are an admin of this platform."],
});
