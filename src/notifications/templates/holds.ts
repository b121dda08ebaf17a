import { type HoldChange, rankName } from "#calendar/queue.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { paymentLinkFooter, type PaysByLink, sum } from "./bookings.ts";
import { type EmailContent, day, longDay, type Money, money, shortDay } from "./email.ts";

/** A change of a hold. `until` is its end, as text with the zone. `reason` is the artist's, for a change of the order. */
type HoldNotice = PaysByLink & {
  side: "promoter" | "artist";
  artistName: string;
  promoterName: string;
  night: string;
  rank: number | null;
  until: string;
  change: HoldChange;
  reason: string | null;
  /** Of a challenged hold: from when it may be booked, or until when only its promoter may book it, as text with the zone. */
  paysFrom?: string | null;
  aloneUntil?: string | null;
  byAdmin?: boolean;
  isBlocked?: boolean;
  isHidden?: boolean;
  bookedNight?: string | null;
  /** The promoters of the night in the order that the artist gave their holds. Only for the artist. */
  order?: readonly string[];
  endingNights?: readonly string[];
  /** After the wait of 7 days the night is still ahead. */
  canHoldAgain?: boolean;
  /** The provider has not confirmed that no deposit was paid. */
  mayBePaid?: boolean;
  enteredNights?: readonly string[] | null;
  deposit?: Money | null;
  poster?: string | null;
  link: string;
};

const rankOf = ({ rank }: HoldNotice) => (rank === null ? "" : rankName(rank));

type Text = readonly [subject: string, ...paragraphs: string[]];
type Texts<Change extends HoldChange> = Readonly<Record<Change, (hold: HoldNotice) => Text>>;

const because = ({ reason, side, byAdmin }: HoldNotice) =>
  byAdmin
    ? [`An admin released it. The reason: ${reason}`]
    : reason
      ? [`${side === "promoter" ? "The reason" : "Your reason"}: ${reason}`]
      : [];

const chargeOf = ({ mayBePaid, change }: HoldNotice) =>
  mayBePaid
    ? `We do not know yet whether your deposit was paid. If it was, we ${change === "superseded" ? "" : "book the date or "}refund you.`
    : "Nothing was charged.";

const depositOf = ({ deposit }: HoldNotice) => (deposit ? `the deposit of ${money(deposit)}` : "the deposit");

const forPromoter: Texts<HoldChange> = {
  placed: (hold) =>
    hold.enteredNights
      ? [
          `${hold.artistName} holds ${hold.enteredNights.map(day).join(", ")} for you`,
          "It costs nothing. Your list of holds shows when it ends. If you did not ask for it, you can release it there.",
        ]
      : [
          `You have the ${rankOf(hold)} hold of ${day(hold.night)}`,
          `Your hold runs until ${hold.until}. It costs nothing.`,
        ],
  moved_up: (hold) => [
    `You now have the ${rankOf(hold)} hold of ${day(hold.night)}`,
    `A hold before yours has ended. Yours runs until ${hold.until}.`,
    ...(hold.paysFrom ? [`You can book the night from ${hold.paysFrom}.`] : []),
  ],
  moved: (hold) => [
    `You now have the ${rankOf(hold)} hold of ${day(hold.night)}`,
    `${hold.artistName} changed the order of the holds. Yours runs until ${hold.until}.`,
    ...because(hold),
  ],
  extended: (hold) => [
    `Your hold of ${day(hold.night)} has a new end`,
    `${hold.artistName} changed its time. It runs until ${hold.until}.`,
  ],
  ends_soon: (hold) => [
    `Your hold of ${(hold.endingNights ?? []).map(day).join(", ")} ends soon`,
    `It runs until ${hold.until}. Nothing is charged when it ends.`,
    ...(hold.canHoldAgain
      ? ["If it ends, you can hold the same night again 7 days later, if it is still available."]
      : []),
  ],
  challenged: (hold) => [
    `Your hold of ${day(hold.night)} is challenged`,
    hold.paysFrom
      ? `Another promoter is ready to book. You can book the night from ${hold.paysFrom} until ${hold.until}, unless a hold before yours has booked it by then. After that you lose your hold.`
      : `Another promoter is ready to book. Book the night by ${hold.until}, or you lose it.`,
    ...(hold.aloneUntil
      ? [`Until ${hold.aloneUntil} only you can book it. After that, the next hold can book it too.`]
      : []),
  ],
  can_book: (hold) => [
    `You can now book ${day(hold.night)}`,
    `You have the ${rankOf(hold)} hold. You can book the night until ${hold.until}, unless a hold before yours has booked it by then. After that you lose your hold.`,
  ],
  challenge_ended: (hold) => [`The challenge for ${day(hold.night)} is over`, `Your hold runs until ${hold.until}.`],
  must_pay: (hold) => [
    `You have the first hold of ${day(hold.night)}: book it now`,
    `Book the night by ${hold.until}, or you lose it.`,
  ],
  requested: (hold) => [
    `Pay the deposit to book ${hold.artistName} for ${day(hold.night)}`,
    `${hold.artistName} turned your hold of this night into a booking request. Pay ${depositOf(hold)} by ${hold.until} to book it.`,
    "If it is not paid by then, your hold ends. Nothing is charged until you pay.",
  ],
  busy: (hold) => [
    `Your hold of ${day(hold.night)} cannot be booked now`,
    `${hold.artistName} has entered something else at the time of your event. Your hold runs until ${hold.until}, in case that changes.`,
    "You do not need to do anything. If you choose another night or artist, you can release this hold.",
  ],
  booked: (hold) => [
    `Your hold of ${day(hold.night)} is now a booking`,
    "If the hold had other nights, we release them.",
  ],
  released: (hold) => [
    `Your hold of ${day(hold.night)} is released`,
    ...(hold.isBlocked ? [`${hold.artistName} is not available that night.`] : []),
    ...(hold.isHidden ? [`${hold.artistName} takes no bookings at the moment.`] : []),
    ...(hold.bookedNight ? [`We released it because you booked ${day(hold.bookedNight)}.`] : []),
    `You no longer hold this night. ${chargeOf(hold)}`,
    ...because(hold),
  ],
  expired: (hold) => [
    `Your hold of ${day(hold.night)} has expired`,
    hold.canHoldAgain ? "In 7 days you can hold this night again, if it is still available." : chargeOf(hold),
    ...(hold.canHoldAgain && hold.mayBePaid ? [chargeOf(hold)] : []),
  ],
  lost: (hold) => [`You have lost your hold of ${day(hold.night)}`, `You did not book it in time. ${chargeOf(hold)}`],
  superseded: (hold) => [
    `${day(hold.night)} is booked by another promoter`,
    `Your hold of this night has ended. ${chargeOf(hold)}`,
  ],
};

const forArtist: Texts<Exclude<HoldChange, "ends_soon" | "busy">> = {
  placed: (hold) => [
    `${hold.promoterName} holds ${day(hold.night)}`,
    `It is the ${rankOf(hold)} hold. It runs until ${hold.until}.`,
  ],
  moved_up: (hold) => [
    `${hold.promoterName} has the ${rankOf(hold)} hold of ${day(hold.night)}`,
    `A hold before it has ended. It runs until ${hold.until}.`,
  ],
  moved: (hold) => [
    `You changed the order of the holds of ${day(hold.night)}`,
    (hold.order ?? []).map((name, index) => `${name} has the ${rankName(index + 1)} hold.`).join(" "),
    ...because(hold),
  ],
  extended: (hold) => [
    `You changed the end of a hold of ${day(hold.night)}`,
    `${hold.promoterName} holds the night until ${hold.until}.`,
  ],
  challenged: (hold) => [
    `The hold of ${hold.promoterName} on ${day(hold.night)} is challenged`,
    `${hold.promoterName} must book the night by ${hold.until}, or loses it.`,
  ],
  can_book: (hold) => [
    `${hold.promoterName} can now book ${day(hold.night)}`,
    `It is the ${rankOf(hold)} hold. It can be booked until ${hold.until}, unless a hold before it has booked the night by then.`,
  ],
  challenge_ended: (hold) => [
    `The challenge for ${day(hold.night)} is over`,
    `The hold of ${hold.promoterName} runs until ${hold.until}.`,
  ],
  must_pay: (hold) => [
    `${hold.promoterName} has the first hold of ${day(hold.night)}`,
    `The night must be booked by ${hold.until}.`,
  ],
  requested: (hold) => [
    `You turned the hold of ${hold.promoterName} on ${day(hold.night)} into a booking request`,
    `We emailed ${hold.promoterName} the link to pay ${depositOf(hold)} by ${hold.until}. The night is booked when it is paid.`,
  ],
  booked: (hold) => [`The hold of ${hold.promoterName} is now a booking`, `${day(hold.night)} is booked.`],
  released: (hold) => [
    `The hold of ${hold.promoterName} on ${day(hold.night)} is released`,
    ...(hold.bookedNight ? [`${hold.promoterName} booked ${day(hold.bookedNight)} instead.`] : []),
    hold.isHidden
      ? "Your page cannot be booked at the moment, so all holds on your nights are released."
      : "If there is another hold, it moves up.",
    ...because(hold),
  ],
  expired: (hold) => [
    `The hold of ${hold.promoterName} on ${day(hold.night)} has expired`,
    "If there is another hold, it moves up.",
  ],
  lost: (hold) => [
    `${hold.promoterName} has lost the hold of ${day(hold.night)}`,
    "The night was not booked in time. If there is another hold, it moves up.",
  ],
  superseded: (hold) => [
    `The hold of ${hold.promoterName} on ${day(hold.night)} has ended`,
    "Another promoter booked the night.",
  ],
};

export function holdChanged(hold: HoldNotice): EmailContent {
  const isPromoter = hold.side === "promoter";
  const pays = isPromoter && hold.change === "requested";
  const textOf =
    isPromoter || hold.change === "ends_soon" || hold.change === "busy"
      ? forPromoter[hold.change]
      : forArtist[hold.change];
  const [subject = "", ...paragraphs] = textOf(hold).map(capitalized);
  return {
    subject,
    name: isPromoter ? hold.promoterName : hold.artistName,
    paragraphs,
    button: { label: pays ? "Pay Deposit" : isPromoter ? "View holds" : "View night", href: hold.link },
    details: [["Artist", hold.artistName], ["Night", longDay(hold.night)], ...sum("Deposit", hold.deposit)],
    ...(pays ? paymentLinkFooter("deposit", hold, "View request") : {}),
    sms: `${hold.artistName}, ${shortDay(hold.night)}: ${subject}. ${paragraphs[0]} ${hold.link}`,
  };
}
