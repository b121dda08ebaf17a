import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { maxBlockedNights } from "#settings/choices.rules.ts";
import { addDays, daysBetween, daysIn } from "../../format/dates.ts";
import { type Month, monthText } from "../../format/months.ts";
import type { browserApi } from "../browser-api.ts";
import { orpc, useCommand } from "../query.ts";

export type ArtistCalendar = Awaited<ReturnType<typeof browserApi.calendar.own>>;
export type CalendarEntry = ArtistCalendar["items"][number];

export type BusyTime = CalendarEntry & { kind: "blocked" | "external" };

export type HeldNight = CalendarEntry & { kind: "hold"; hold: NonNullable<CalendarEntry["hold"]> };

export function useBusyTimes(month: Month) {
  const input = { from: `${monthText(month)}-01`, to: `${monthText(month)}-${daysIn(month.year, month.month)}` };
  return useQuery(
    orpc.calendar.own.queryOptions({
      input,
      placeholderData: keepPreviousData,
      select: ({ items, ...nights }) => ({
        ...nights,
        busy: items.filter(isBusyTime),
        holds: items.filter(isHeldNight).toSorted((one, other) => one.hold.rank - other.hold.rank),
      }),
    }),
  );
}

export const useHoldsAndRequests = ({ from, to }: { from: string; to: string }) =>
  useQuery(
    orpc.calendar.own.queryOptions({
      input: { from, to },
      enabled: from !== "" && from <= to && daysBetween(from, to) < maxBlockedNights,
      select: ({ items }) => items.filter((entry) => entry.kind === "request" || isHeldNight(entry)),
    }),
  );

const isBusyTime = (entry: CalendarEntry): entry is BusyTime => entry.kind === "blocked" || entry.kind === "external";

const isHeldNight = (entry: CalendarEntry): entry is HeldNight => entry.kind === "hold" && entry.hold !== null;

export const useArtistWeek = (monday: string) =>
  useQuery(orpc.calendar.own.queryOptions({ input: { from: monday, to: addDays(monday, 6) } }));

export const useBlockTime = () => useCommand(orpc.calendar.block, orpc.calendar.key());
export const useUnblockTime = () => useCommand(orpc.calendar.unblock, orpc.calendar.own.key());

/** Reloads the settings too, because they list the same nights. */
export const useOpenNights = () =>
  useCommand(orpc.calendar.openNights, orpc.calendar.own.key(), orpc.artists.settings.read.queryKey());

export const useTravelWarnings = () => useQuery(orpc.calendar.travel.warnings.queryOptions());

export function useLongDrives(): ReadonlySet<string> {
  const warnings = useTravelWarnings().data?.items ?? [];
  return new Set(warnings.flatMap(({ first, next }) => [first.booking_id, next.booking_id]));
}
