import { holdLimits } from "#bookings/rules.ts";
import { holdableAgainFrom } from "#calendar/checkout-hold.rules.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatDay } from "../../lib/format/dates.ts";

export const confirmShowText = (artist: string): string =>
  `Confirm that ${artist} performed. The held payment is released to the artist, typically within 2-7 business days. You can no longer cancel the booking.`;

/** `until`: the end of the ranked hold. */
type OwnHold = Readonly<{ open?: boolean; staysOnHold: boolean; until?: string | undefined }>;

/** Returns whether a ranked hold of the booking's promoter stays when the checkout ends, and its end. */
export const ownHoldOf = ({ holds }: { holds: { from: { state: string; until: string } | null } | null }): OwnHold => ({
  staysOnHold: holds?.from?.state === "active",
  until: holds?.from?.until,
});

/** Returns the consequences of ending the promoter's own checkout. `open` is false after its end. */
export const releaseHoldText = (artist: string, date: string, { open = true, staysOnHold, until }: OwnHold): string =>
  staysOnHold
    ? `The checkout for ${artist} is canceled. Nothing is charged. Your hold of ${formatDay(date)} stays. You can open the checkout again ${until && new Date(until) <= holdableAgainFrom(currentTime()) ? "until it ends" : `after ${holdLimits.renewalMinutes} minutes`}.`
    : `${open ? `The checkout for ${artist} is canceled and ${formatDay(date)} is` : `${formatDay(date)} with ${artist} is`} available to others immediately. Nothing is charged. Your request is saved. You can hold the date again after ${holdLimits.renewalMinutes} minutes if it is still available.`;

export const releasedToast = ({ staysOnHold }: OwnHold) =>
  staysOnHold
    ? { title: "The checkout is canceled", text: "Nothing was charged. Your hold of the night stays." }
    : { title: "The hold is released", text: "Nothing was charged. Others can book it now." };
