import { type CancelCode, cancelCodeText } from "./flow.rules.ts";

type Side = "promoter" | "artist";

const reasonsTo: Readonly<Record<Side, Partial<Record<CancelCode, string>>>> = {
  promoter: {
    not_requested: "You did not confirm the request.",
    date_changed: "You stated that the event moves to another date.",
    no_show: "You reported that the artist did not appear. We have decided that nothing is released to the artist.",
  },
  artist: {
    date_changed: "The event moves to another date.",
    unanswered: "You did not answer in time.",
    cannot_perform: "You stated that you cannot perform.",
    no_show: "The promoter reported that you did not appear. We have decided that nothing is released to you.",
  },
};

/** Returns the reason for a side in the second person where it is concerned. Null: for an admin. */
export const cancelReasonTo = (side: Side | null, code: CancelCode): string =>
  (side && reasonsTo[side][code]) ?? cancelCodeText[code];
