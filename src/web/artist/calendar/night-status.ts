import type { ArtistCalendar } from "../../lib/api/artist/calendar.ts";
import { formatDay } from "../../lib/format/dates.ts";

export type NightData = Pick<
  ArtistCalendar,
  "nights" | "closed" | "exceptions" | "bookable" | "night_ends_at" | "time_zone"
>;

type NightState = ArtistCalendar["nights"][number]["state"];

export const stateOfNight = ({ nights }: Pick<NightData, "nights">, night: string): NightState | undefined =>
  nights.find((one) => one.night === night)?.state;

export const canAddHold = (state: NightState | undefined): boolean => state === "free" || state === "on_hold";

export const canBlock = (state: NightState | undefined): boolean =>
  state !== "past" && state !== "booked" && state !== "at_checkout";

export const firstForHold = ({ nights }: Pick<NightData, "nights">, from: string): string =>
  nights.find(({ night, state }) => night >= from && canAddHold(state))?.night ?? "";

/** Returns `closedLabel` for a closed night, and a label for one that is open although its weekday is closed. Otherwise empty. */
export function labelOfNight(
  { closed, exceptions }: Pick<NightData, "closed" | "exceptions">,
  night: string,
  closedLabel: string,
): string {
  if (closed.includes(night)) return closedLabel;
  return exceptions.includes(night) ? "Open this time" : "";
}

export function describeNight({ bookable }: Pick<NightData, "bookable">, state: NightState): string {
  switch (state) {
    case "free":
      return "No holds. Every promoter can request this night.";
    case "past":
      return "This night has passed.";
    case "begun":
      return "This night has begun. Promoters can request it only for a later time.";
    case "too_soon":
      return `This night is too soon to be requested. The first possible night is ${formatDay(bookable.first)}.`;
    case "too_far":
      return `This night is too far ahead to be requested. The last possible night is ${formatDay(bookable.last)}.`;
    case "closed":
      return "This night is closed to requests.";
    case "blocked":
      return "You blocked this night. No promoter can request it.";
    case "external":
      return "You are busy in another calendar. Promoters can request only a time that is free.";
    case "booked":
      return "No other promoter can book the time of this show, or the travel and set-up time around it.";
    case "at_checkout":
      return "A promoter is at the checkout. No other promoter can book that time.";
    case "on_hold":
      return "This night is on hold.";
  }
}
