import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { daysIn } from "../format/dates.ts";
import type { Month } from "../format/months.ts";
import { monthText } from "../format/months.ts";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

export type ArtistCalendar = Awaited<ReturnType<typeof browserApi.calendar.own>>;
type Entry = ArtistCalendar["items"][number];

/** Time of the artist that no booking takes: blocked by hand, or busy in another calendar. */
export type BusyTime = Entry & { kind: "blocked" | "external" };

/** A ranked hold of a night. */
export type HeldNight = Entry & { kind: "hold"; hold: NonNullable<Entry["hold"]> };

/** Reads the busy times and the ranked holds of a month, and the hour at which a night ends. */
export function useBusyTimes(month: Month) {
  const input = { from: `${monthText(month)}-01`, to: `${monthText(month)}-${daysIn(month.year, month.month)}` };
  return useQuery(
    orpc.calendar.own.queryOptions({
      input,
      placeholderData: keepPreviousData,
      select: ({ items, night_ends_at }) => ({
        busy: items.filter(isBusyTime),
        holds: items.filter(isHeldNight).toSorted((one, other) => one.hold.rank - other.hold.rank),
        nightEndsAt: night_ends_at,
      }),
    }),
  );
}

const isBusyTime = (entry: Entry): entry is BusyTime => entry.kind === "blocked" || entry.kind === "external";

const isHeldNight = (entry: Entry): entry is HeldNight => entry.kind === "hold" && entry.hold !== null;

function useCalendarChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.calendar.own.key() });
}

export const useBlockTime = () => useMutation(orpc.calendar.block.mutationOptions({ onSuccess: useCalendarChanged() }));
export const useUnblockTime = () =>
  useMutation(orpc.calendar.unblock.mutationOptions({ onSuccess: useCalendarChanged() }));

/** Reads the drives between shows ahead that take longer than there is time. */
export const useTravelWarnings = () => useQuery(orpc.calendar.travel.warnings.queryOptions());
