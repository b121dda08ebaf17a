import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { EmailContent } from "./email.ts";
import { day, longDay, type Money } from "./format.ts";
import { type BalanceAhead, balanceLine } from "./balance-line.ts";
import { atVenue, type Gig, other, reader, type Side, sum, when } from "./bookings.ts";

export const signingOrder = (gig: Gig & Partial<Side> & { signsFirst?: boolean }): string =>
  gig.signsFirst
    ? `You sign first. ${other({ side: "promoter", ...gig }) || "the other side"} signs after you.`
    : "You can sign in any order.";

/** Contract Sent, to a party that must sign. `until` is the end of the signing window. `signsFirst`: before the other party. */
export function contractSent(
  gig: Gig &
    Side & {
      until: Date;
      timeZone: string;
      price?: Money | null;
      deposit?: Money | null;
      balance?: Money | null;
      signsFirst?: boolean;
    },
): EmailContent {
  return {
    subject:
      gig.side === "artist"
        ? `Sign: ${gig.venueName}, ${day(gig.eventDate)}`
        : `Your contract for ${gig.artistName} is ready`,
    name: reader(gig),
    paragraphs: [
      `The contract for ${longDay(gig.eventDate)}${atVenue(gig)} is ready. Sign by ${formatInstant(gig.until, gig.timeZone)}. ${signingOrder(gig)}`,
    ],
    button: { label: "Sign Contract", href: gig.link },
    facts: [
      ...when(gig),
      ...sum("Price", gig.price),
      ...sum("Deposit, paid", gig.deposit),
      ...sum("Balance", gig.balance),
    ],
  };
}

/** Reminds a party to sign. `otherSigned`: the other party has signed. `otherFirst`: the other party signs first. */
export function contractReminder(
  gig: Gig & Side & { until: Date; timeZone: string; otherSigned: boolean; otherFirst?: boolean },
): EmailContent {
  if (gig.otherFirst) return contractToRead(gig);
  return {
    subject: gig.otherSigned
      ? `${other(gig) || "The other side"} has signed: your turn`
      : `Your signature for ${day(gig.eventDate)} is missing`,
    name: reader(gig),
    paragraphs: [
      gig.otherSigned
        ? `${other(gig) || "The other side"} has signed the contract for ${longDay(gig.eventDate)}${atVenue(gig)}. Only your signature is missing.`
        : `The contract for ${longDay(gig.eventDate)}${atVenue(gig)} is waiting for your signature.`,
      `Sign by ${formatInstant(gig.until, gig.timeZone)}. If it is not signed by then, the booking is canceled.`,
    ],
    button: { label: "Sign Contract", href: gig.link },
    facts: when(gig),
  };
}

const contractToRead = (gig: Gig & Side): EmailContent => ({
  subject: `Read the contract for ${day(gig.eventDate)}`,
  name: reader(gig),
  paragraphs: [
    `${other(gig) || "The other side"} signs the contract for ${longDay(gig.eventDate)}${atVenue(gig)} first. You get an email when it is your turn.`,
    "Until then, you can read or decline it with this link.",
  ],
  button: { label: "View contract", href: gig.link },
  facts: when(gig),
});

export const contractCode = (to: { code: string; minutes: number; number: string }): EmailContent => ({
  subject: `Your code to sign contract ${to.number}`,
  paragraphs: [
    `Enter this code on the contract page to sign it. It works once, for ${to.minutes} minutes, and only for this contract.`,
  ],
  code: to.code,
  after: ["If you did not request this code, do not enter it anywhere. We never ask you for it."],
  sms: `${to.code} is your code to sign contract ${to.number}. It works for ${to.minutes} minutes. We never ask you for it.`,
});

/** Returns who signed, or accepted by click, for this recipient. The contract follows as the grammatical object. */
export function concludedBy(gig: Gig & Partial<Side> & { clicked?: boolean }): string {
  if (!gig.clicked) return "Both sides have signed";
  return gig.side === "artist"
    ? `${gig.promoterName || "The promoter"} has accepted by click, and you have signed,`
    : `You have accepted by click, and ${gig.artistName} has signed,`;
}

/** Contract Signed, to both sides. `clicked`: the promoter accepted by click, because the settings require no signature. */
export function contractSigned(gig: Gig & Side & BalanceAhead & { clicked?: boolean }): EmailContent {
  return {
    subject: `Signed: ${other(gig)}, ${day(gig.eventDate)}`,
    title: "The contract is signed",
    name: reader(gig),
    paragraphs: [
      `${concludedBy(gig)} the contract for ${longDay(gig.eventDate)}${atVenue(gig)}. Your copy is attached, and you can download it from the booking at any time.`,
    ],
    button: { label: "View contract", href: gig.link },
    facts: [...when(gig), ...balanceLine(gig, { signed: true })],
  };
}

/** To both sides, always, when an admin attests the signatures. Each may object. `paper`: the hash of the signed document. */
export function contractAttested(
  gig: Gig &
    Side &
    BalanceAhead & {
      reason: string;
      paper: string | null;
      until: Date;
      timeZone: string;
    },
): EmailContent {
  return {
    subject: `Marked as signed: ${other(gig)}, ${day(gig.eventDate)}`,
    title: "The contract is marked as signed",
    name: reader(gig),
    paragraphs: [
      `An administrator has attested that the contract for ${longDay(gig.eventDate)}${atVenue(gig)} was signed outside the platform.`,
      `If that is wrong, object on the booking page by ${formatInstant(gig.until, gig.timeZone)}. An administrator reviews every objection.`,
    ],
    quote: gig.reason,
    button: { label: "View contract or object", href: gig.link },
    facts: [...when(gig), ...balanceLine(gig, { signed: true })],
    ...(gig.paper ? { after: [`Fingerprint of the signed paper (SHA-256): ${gig.paper}`] } : {}),
  };
}

/** To the other party of an objection to an attested signature. The money is frozen until an admin decides. */
export function objectionMade(gig: Gig & Side & { reason: string }): EmailContent {
  return {
    subject: `Objection to the contract: ${other(gig)}, ${day(gig.eventDate)}`,
    title: "The other party objects to the contract",
    name: reader(gig),
    paragraphs: [
      `${other(gig)} objects to the signature that an admin attested for ${longDay(gig.eventDate)}${atVenue(gig)}.`,
      "An admin decides. Until then nothing is charged or paid out.",
    ],
    quote: gig.reason,
    button: { label: "View booking", href: gig.link },
    facts: when(gig),
  };
}

/** To both sides, when an admin decided about an objection. `until`: the new end of the signing window, or null if the booking has ended. */
export function objectionDecided(
  gig: Gig & Side & { reason: string; decision: "upheld" | "annulled"; until: Date | null; timeZone: string },
): EmailContent {
  const what =
    gig.decision === "upheld"
      ? "An admin has decided that the signature holds. The booking continues."
      : gig.until
        ? `An admin has withdrawn the attested signature. The contract is open to be signed again until ${formatInstant(gig.until, gig.timeZone)}. You get a link if your signature is missing.`
        : "An admin has withdrawn the attested signature. There is not enough time to sign again, so the booking is canceled and everything that was paid is refunded.";
  return {
    subject: `Objection decided: ${other(gig)}, ${day(gig.eventDate)}`,
    title: "The objection to the contract is decided",
    name: reader(gig),
    paragraphs: [`This is about the contract for ${longDay(gig.eventDate)}${atVenue(gig)}.`, what],
    quote: gig.reason,
    button: { label: "View booking", href: gig.link },
    facts: when(gig),
  };
}
