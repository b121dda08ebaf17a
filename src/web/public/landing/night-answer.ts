import { bounds } from "#settings/bounds.rules.ts";
import { addDays, formatDay } from "../../lib/format/dates.ts";
import type { BrowseQuery } from "./browse-query.ts";

type Count = Readonly<{ total: number; capped: boolean; away?: number | undefined }>;

const kinds = { wedding: "a wedding", private: "a private party", corporate: "a corporate event" } as const;

/** `today`: YYYY-MM-DD, undefined until the browser knows it. */
type Today = string | undefined;

const isPast = (night: string | undefined, today: Today): boolean => !!night && !!today && night < today;

const isTooFar = (night: string, today: Today): boolean =>
  !!today && night > addDays(today, bounds.maximumBookingDays.max);

export function resultHeading(
  { night, town }: Pick<BrowseQuery, "night" | "town">,
  { total, capped, away }: Count,
  today: Today,
): string {
  if (isPast(night, today)) return "This date is in the past";
  const one = total === 1;
  const acts = one ? "1 act is" : `${total === 0 ? "No" : formatCount(total, capped)} acts are`;
  return away === undefined ? `${acts} free` : `${acts} free and ${one ? "comes" : "come"} to ${townOf(town)}`;
}

export function resultNote(
  { night, town, kind }: Pick<BrowseQuery, "night" | "town" | "kind">,
  { total, capped, away }: Count,
  today: Today,
): string {
  if (!night) return total === 1 ? "1 artist" : `${capped ? "More than " : ""}${total.toLocaleString("en-US")} artists`;
  const past = isPast(night, today);
  const year = past || (!!today && night > addDays(today, 365));
  const when = `${formatDay(night, { year })}${kind ? `, for ${kinds[kind]}` : ""}.`;
  if (past) return `${when} Choose a date from today on.`;
  if (isTooFar(night, today)) return `${when} Artists can be booked at most two years ahead.`;
  if (away === undefined)
    return town ? `${when} We do not know ${townOf(town)}, so distances are not considered.` : when;
  if (away === 0) return when;
  const more = away > maxCounted ? "More than 1,000" : away.toLocaleString("en-US");
  return `${when} ${more} more ${away === 1 ? "is" : "are"} free but ${away === 1 ? "lives" : "live"} farther away.`;
}

const maxCounted = 1_000;
const formatCount = (total: number, capped: boolean) => `${capped ? "More than " : ""}${total.toLocaleString("en-US")}`;
const townOf = (town: string) => town.split(",")[0] ?? town;
