/** Whether an artist can be asked for one night, in words. Pure; what decides it is read in night.views.ts. */
import { milesBetween } from "./travel.rules.ts";

export const eveningKinds = ["corporate", "private", "wedding"] as const;
export type EveningKind = (typeof eveningKinds)[number];

/** The show that is assumed until a time is asked for: local time, and minutes of play. */
export const assumedShow = { time: "20:00", minutes: 180 } as const;

/** `too_soon` and `too_far`: outside of what the artist takes requests for. */
export const nightStates = ["free", "taken", "held", "too_soon", "too_far", "kind_declined"] as const;
export type NightState = (typeof nightStates)[number];

export type NightFacts = Readonly<{
  night_state: NightState;
  minimum_notice: number;
  maximum_days: number;
  travel_radius: number;
  lat: number | null;
  lon: number | null;
}>;

type Position = Readonly<{ lat: number; lon: number }>;

const kindNames: Readonly<Record<EveningKind, string>> = {
  corporate: "corporate events",
  private: "private events",
  wedding: "weddings",
};

/** Returns the answer for a card. Beyond the travel radius an artist is still free: the radius is advice (design, section 12). */
export function describeNight(facts: NightFacts, kind: EveningKind | undefined, town: Position | null): string {
  const { night_state: state, minimum_notice: notice, maximum_days: most, travel_radius: radius, lat, lon } = facts;
  switch (state) {
    case "taken":
      return "Taken that night";
    case "held":
      return "On hold, may be free soon";
    case "too_soon":
      return `Needs ${notice} ${notice === 1 ? "day's" : "days'"} notice`;
    case "too_far":
      return `Books ${most} days ahead at most`;
    case "kind_declined":
      return `Does not play ${kind ? kindNames[kind] : "such events"}`;
    case "free": {
      const miles = town && lat !== null && lon !== null ? milesBetween(town, { lat, lon }) : 0;
      return miles > radius ? `Free, ${miles} miles away (travels ${radius})` : "Free that night";
    }
  }
}
