import { type EventKind, eventKindNames } from "./event-kinds.rules.ts";

/** `away`: free, but the town is beyond the travel radius. `too_soon` and `too_far`: outside of the artist's notice and advance. */
export const nightStates = ["free", "away", "taken", "held", "closed", "too_soon", "too_far", "kind_declined"] as const;
export type NightState = (typeof nightStates)[number];

export type AvailabilityRow = Readonly<{
  night_state: NightState;
  minimum_notice: number;
  maximum_days: number;
  travel_radius: number;
  /** From the artist's town to that of the night. Null if one is unknown. */
  miles: number | null;
}>;

/** Returns the text of a card. `town`: the name of the night's town if it is known. Artists beyond their radius can still be requested. */
export function describeNight(row: AvailabilityRow, kind: EventKind | undefined, town: string | undefined): string {
  const { night_state: state, minimum_notice: notice, maximum_days: max, miles } = row;
  switch (state) {
    case "taken":
      return "Taken that night";
    case "held":
      return "On hold, may be free soon";
    case "closed":
      return "Does not play that night";
    case "too_soon":
      return `Needs ${notice} ${notice === 1 ? "day's" : "days'"} notice`;
    case "too_far":
      return `Books ${max} days ahead at most`;
    case "kind_declined":
      return `Does not play ${kind ? eventKindNames[kind] : "such events"}`;
    case "away":
      return `Free, ${Number(miles).toLocaleString("en-US")} miles away`;
    case "free":
      return town && miles !== null ? `Free, comes to ${town}` : "Free that night";
  }
}
