import { isDay } from "#platform/time/days.rules.ts";

/** The date (YYYY-MM-DD) and town of a search, passed on to the profile and the booking form in the address. */
export type SearchedDate = Readonly<{ date?: string | undefined; town?: string | undefined }>;

export const maxTownLength = 120;

export function readSearchedDate(params: URLSearchParams): SearchedDate {
  const date = params.get("date") ?? "";
  return isDay(date) ? { date, town: readTown(params) || undefined } : {};
}

export const readTown = (params: URLSearchParams): string => cleanText(params.get("town") ?? "", maxTownLength);

/** Returns the text without characters that the database refuses, at most `maxLength` characters. */
export const cleanText = (text: string, maxLength: number): string =>
  text.replaceAll("\0", "").toWellFormed().slice(0, maxLength);
