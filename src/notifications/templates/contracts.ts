import { formatInstant } from "#platform/time/calendar.rules.ts";
import { type BalanceAhead, balanceLine } from "./balance-line.ts";
import { aboutBooking, type BookingDetails, dayAtVenue, otherName, type Side, sum, eventDetails } from "./bookings.ts";
import { type EmailContent, day, type Money, money, texts } from "./email.ts";

export const signingOrder = (booking: BookingDetails & Partial<Side> & { signsFirst?: boolean }): string =>
  booking.signsFirst
    ? `You sign first. ${otherName(booking) || "the other side"} signs after you.`
    : "You can sign in any order.";

const otherSide = (booking: BookingDetails & Side): string => otherName(booking) || "The other side";

/** `until`: the end of the signing window. `lastUntil`: its end after the single extension, null if there is none ahead. */
type SigningWindow = Readonly<{ until: Date; lastUntil?: Date | null; timeZone: string }>;

const unsignedText = ({ lastUntil, timeZone }: SigningWindow): string =>
  lastUntil
    ? `If it is not signed by then, the time is extended once, until ${formatInstant(lastUntil, timeZone)}. After that, the booking is canceled.`
    : "If it is not signed by then, the booking is canceled.";

/** What the recipient risks: the side whose signature alone is missing counts as the one that canceled. */
const ownRisk = ({ side }: Side): string =>
  side === "artist"
    ? "If only your signature is missing then, the promoter is refunded in full."
    : "If only your signature is missing then, the cancellation terms apply as if you had canceled.";

/** What a promoter has paid beyond the deposit when a signature was withdrawn. Null or missing if nothing. */
type SafeBalance = Readonly<{ safeBalance?: Money | null }>;

const safeText = ({ safeBalance }: SafeBalance): string[] =>
  texts(
    safeBalance &&
      `The balance of ${money(safeBalance)} that you have paid is safe. We hold it, and refund it in full if the contract is not signed.`,
  );

/** Contract Sent, to a party that must sign. `signsFirst`: before the other party. */
export const contractSent = (
  booking: BookingDetails &
    Side &
    SigningWindow & { price?: Money | null; deposit?: Money | null; balance?: Money | null; signsFirst?: boolean },
): EmailContent => ({
  subject:
    booking.side === "artist"
      ? `Sign: ${booking.venueName}, ${day(booking.eventDate)}`
      : `Your contract for ${booking.artistName} is ready`,
  ...aboutBooking(booking, "Sign Contract"),
  paragraphs: [
    `The contract for ${dayAtVenue(booking)} is ready. Sign by ${formatInstant(booking.until, booking.timeZone)}. ${signingOrder(booking)}`,
  ],
  details: [
    ...eventDetails(booking),
    ...sum("Price", booking.price),
    ...sum("Deposit, paid", booking.deposit),
    ...sum("Balance", booking.balance),
  ],
  after: [`${unsignedText(booking)} ${ownRisk(booking)}`],
});

/** Reminds a party to sign. `otherSigned`: the other party has signed. `otherFirst`: the other party signs first. `isExtended`: the window was just extended. `waits`: the other party must sign. */
export function contractReminder(
  booking: BookingDetails &
    Side &
    SigningWindow &
    SafeBalance & { otherSigned: boolean; otherFirst?: boolean; isExtended?: boolean; waits?: boolean },
): EmailContent {
  if (booking.waits) return signatureAwaited(booking);
  if (booking.otherFirst) return contractToRead(booking);
  return {
    subject: booking.otherSigned
      ? `${otherSide(booking)} has signed: your turn`
      : `Your signature for ${day(booking.eventDate)} is missing`,
    ...aboutBooking(booking, "Sign Contract"),
    paragraphs: [
      booking.otherSigned
        ? `${otherSide(booking)} has signed the contract for ${dayAtVenue(booking)}. Only your signature is missing.`
        : `The contract for ${dayAtVenue(booking)} is waiting for your signature.`,
      `${booking.isExtended ? "The time to sign is extended. " : ""}Sign by ${formatInstant(booking.until, booking.timeZone)}. ${unsignedText(booking)} ${ownRisk(booking)}`,
      ...safeText(booking),
    ],
  };
}

const signatureAwaited = (booking: BookingDetails & Side & SigningWindow & SafeBalance): EmailContent => ({
  subject: `More time to sign for ${day(booking.eventDate)}`,
  ...aboutBooking(booking, "View booking"),
  paragraphs: [
    `${otherSide(booking)} has not signed the contract for ${dayAtVenue(booking)} yet.`,
    `The time to sign is extended until ${formatInstant(booking.until, booking.timeZone)}. ${unsignedText(booking)}`,
    ...safeText(booking),
  ],
});

const contractToRead = (booking: BookingDetails & Side): EmailContent => ({
  subject: `Read the contract for ${day(booking.eventDate)}`,
  ...aboutBooking(booking, "View contract"),
  paragraphs: [
    `${otherSide(booking)} signs the contract for ${dayAtVenue(booking)} first. You get an email when it is your turn.`,
    "Until then, you can read or decline it with this link.",
  ],
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
export function concludedBy(booking: BookingDetails & Partial<Side> & { clicked?: boolean }): string {
  if (!booking.clicked) return "Both sides have signed";
  return booking.side === "artist"
    ? `${booking.promoterName || "The promoter"} has accepted by click, and you have signed,`
    : `You have accepted by click, and ${booking.artistName} has signed,`;
}

/** Contract Signed, to both sides. `clicked`: the promoter accepted by click, because the settings require no signature. */
export const contractSigned = (
  booking: BookingDetails & Side & BalanceAhead & { clicked?: boolean },
): EmailContent => ({
  subject: `Signed: ${otherName(booking)}, ${day(booking.eventDate)}`,
  title: "The contract is signed",
  ...aboutBooking(booking, "View contract"),
  paragraphs: [
    `${concludedBy(booking)} the contract for ${dayAtVenue(booking)}. Your copy is attached, and you can download it from the booking at any time.`,
  ],
  details: [...eventDetails(booking), ...balanceLine(booking, { signed: true })],
});

/** To both sides, always, when an admin attests the signatures. Each may object. `paper`: the hash of the signed document. */
export const contractAttested = (
  booking: BookingDetails &
    Side &
    BalanceAhead & { reason: string; paper: string | null; until: Date; timeZone: string },
): EmailContent => ({
  subject: `Marked as signed: ${otherName(booking)}, ${day(booking.eventDate)}`,
  title: "The contract is marked as signed",
  ...aboutBooking(booking, "View contract or object"),
  paragraphs: [
    `An admin has attested that the contract for ${dayAtVenue(booking)} was signed outside the platform.`,
    `If that is wrong, object on the booking page by ${formatInstant(booking.until, booking.timeZone)}. You cannot object once the booking is completed. An admin reviews every objection.`,
  ],
  quote: booking.reason,
  details: [...eventDetails(booking), ...balanceLine(booking, { signed: true })],
  ...(booking.paper ? { after: [`Fingerprint of the signed paper (SHA-256): ${booking.paper}`] } : {}),
});

/** To the other party of an objection to an attested signature. The money is frozen until an admin decides. */
export const objectionMade = (booking: BookingDetails & Side & { reason: string }): EmailContent => ({
  subject: `Objection to the contract: ${otherName(booking)}, ${day(booking.eventDate)}`,
  title: "The other party objects to the contract",
  ...aboutBooking(booking),
  paragraphs: [
    `${otherName(booking)} objects to the signature that an admin attested for ${dayAtVenue(booking)}.`,
    "An admin decides. Until then nothing is charged or paid out.",
  ],
  quote: booking.reason,
});

/** To both sides, when an admin decided about an objection and the booking remains. `until`: the new end of the signing window, or null if the signature is valid. */
export const objectionDecided = (
  booking: BookingDetails &
    Side &
    SafeBalance & { reason: string; until: Date | null; timeZone: string; wasBalanceRequested?: boolean },
): EmailContent => ({
  subject: `Objection decided: ${otherName(booking)}, ${day(booking.eventDate)}`,
  title: "The objection to the contract is decided",
  ...aboutBooking(booking),
  paragraphs: [
    `This is about the contract for ${dayAtVenue(booking)}.`,
    booking.until
      ? `An admin has withdrawn the attested signature. The contract is open to be signed again until ${formatInstant(booking.until, booking.timeZone)}. You get a link if your signature is missing.`
      : "An admin has decided that the signature is valid. The booking continues.",
    ...(booking.wasBalanceRequested
      ? ["The balance that we requested is not due until the contract is signed again."]
      : []),
    ...safeText(booking),
  ],
  quote: booking.reason,
});
