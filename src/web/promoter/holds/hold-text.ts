import { rankName } from "#calendar/queue.rules.ts";
import type { Hold, HoldNight } from "../../lib/api/promoter/holds.ts";
import { currentTime } from "../../lib/clock.ts";
import { dayIn, formatDay, formatMoment } from "../../lib/format/dates.ts";

export const deadlineOf = ({ challenge_ends_at, expires_at }: HoldNight): Date =>
  new Date(challenge_ends_at ?? expires_at);

export const mustPayNow = (night: HoldNight): boolean =>
  night.state === "active" && night.can.book && (night.challenge_ends_at !== null || night.must_pay);

export function byDeadline(holds: readonly Hold[]): Hold[] {
  const next = ({ nights }: Hold) =>
    Math.min(...nights.filter(({ state }) => state === "active").map((night) => deadlineOf(night).getTime()));
  return holds.toSorted((one, other) => {
    const [first, second] = [next(one), next(other)];
    return first === second ? 0 : first - second;
  });
}

const endings: Readonly<Record<Exclude<HoldNight["state"], "active">, string>> = {
  booked: "Booked.",
  released: "Released.",
  expired: "Expired.",
  lost: "Lost: the night was not booked in time.",
  superseded: "Another promoter has booked this night.",
};

function describeCharge({ state, may_be_paid: mayBePaid }: HoldNight): string {
  if (state === "booked") return "";
  if (mayBePaid) return ` If your deposit was paid, we ${state === "superseded" ? "" : "book the date or "}refund you.`;
  return state === "released" ? "" : " Nothing was charged.";
}

export const canHoldAgain = (night: string, from: Date, zone: string): boolean => dayIn(zone, from) < night;

function describeAgain({ night, again_from }: HoldNight, zone: string): string {
  const from = new Date(again_from ?? 0);
  if (!again_from || !canHoldAgain(night, from, zone)) return "";
  return ` You can hold this night again${from > currentTime() ? ` from ${formatMoment(from)}` : ""}, if it is still available.`;
}

export const isDepositRequested = ({ requested_by_artist, can }: HoldNight): boolean => requested_by_artist && can.book;

type Terms = Readonly<{ artist: Hold["artist"]; deposit: string | undefined }>;

export function describeHold(night: HoldNight, { artist, deposit }: Terms): { urgent?: string; text: string } {
  if (night.released_for)
    return { text: `Released, because you booked ${formatDay(night.released_for, { short: true })}.` };
  if (night.state !== "active")
    return { text: `${endings[night.state]}${describeCharge(night)}${describeAgain(night, artist.time_zone)}` };
  if (night.being_booked)
    return { text: "You are booking this night. The night is booked when the booking is confirmed." };
  const until = formatMoment(deadlineOf(night));
  if (night.busy_elsewhere)
    return {
      text: `${artist.name} is busy at the time of your event, so you cannot book this night. Your hold runs until ${until}, in case that changes.`,
    };
  const pay = deposit ? `Pay ${deposit}` : "Book it";
  if (isDepositRequested(night))
    return {
      ...(night.challenge_ends_at ? { urgent: "Challenged." } : {}),
      text: `${artist.name} requests ${deposit ? `the deposit of ${deposit}` : "the deposit"}. Pay it by ${until} to book this night, or your hold ends.`,
    };
  if (night.challenge_ends_at && night.pays_from && !night.can.book)
    return {
      urgent: "Challenged.",
      text: `${pay} from ${formatMoment(night.pays_from)} until ${until}, unless an earlier hold books first. After that you lose this night.`,
    };
  if (night.challenge_ends_at) return { urgent: "Challenged.", text: `${pay} by ${until}, or you lose this night.` };
  if (night.must_pay) return { urgent: "Your turn.", text: `${pay} by ${until}, or you lose this night.` };
  if (night.rank === 1) return { text: `You have the first hold, until ${until}.` };
  if (night.is_challenger && night.first_until)
    return { text: `You have challenged. The promoters before you have until ${formatMoment(night.first_until)}.` };
  const first = night.first_until ? ` The first runs until ${formatMoment(night.first_until)}.` : "";
  const again = night.has_challenged
    ? " You have challenged for this night before. You can challenge once for each night."
    : "";
  return { text: `You have the ${rankName(night.rank ?? 1)} hold.${first}${again}` };
}
