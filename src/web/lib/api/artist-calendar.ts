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

/** Reads the busy times of a month, and the hour at which a night ends. */
export function useBusyTimes(month: Month) {
  const input = { from: `${monthText(month)}-01`, to: `${monthText(month)}-${daysIn(month.year, month.month)}` };
  return useQuery(
    orpc.calendar.own.queryOptions({
      input,
      placeholderData: keepPreviousData,
      select: ({ items, night_ends_at }) => ({ busy: items.filter(isBusyTime), nightEndsAt: night_ends_at }),
    }),
  );
}

const isBusyTime = (entry: Entry): entry is BusyTime => entry.kind === "blocked" || entry.kind === "external";

function useCalendarChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.calendar.own.key() });
}

export const useBlockTime = () => useMutation(orpc.calendar.block.mutationOptions({ onSuccess: useCalendarChanged() }));
export const useUnblockTime = () =>
  useMutation(orpc.calendar.unblock.mutationOptions({ onSuccess: useCalendarChanged() }));
