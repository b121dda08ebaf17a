import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc, useCommand, useInvalidate } from "../query.ts";

export type Hold = Awaited<ReturnType<typeof browserApi.calendar.holds.mine>>["items"][number];
export type HoldNight = Hold["nights"][number];

const isWaiting = ({ pays_from, can }: HoldNight) => pays_from !== null && !can.book;

/** Reloads every minute while a challenged hold waits for its turn to pay. */
export const useOwnHolds = () =>
  useQuery(
    orpc.calendar.holds.mine.queryOptions({
      refetchInterval: ({ state }) => (state.data?.items.some(({ nights }) => nights.some(isWaiting)) ? 60_000 : false),
    }),
  );

export const useHoldArtist = (slug: string) => useQuery(orpc.artists.get.queryOptions({ input: { slug } }));

export const usePlaceHold = () => useCommand(orpc.calendar.holds.place, orpc.calendar.holds.key());

/** Reloads after an error too, because another promoter, the artist or a deadline may have changed the hold. */
export function useHoldActions() {
  const { onSuccess: onSettled } = useInvalidate(orpc.calendar.holds.key());
  return {
    release: useMutation(orpc.calendar.holds.release.mutationOptions({ onSettled })),
    challenge: useMutation(orpc.calendar.holds.challenge.mutationOptions({ onSettled })),
    book: useMutation(orpc.bookings.heldNights.book.mutationOptions({ onSettled })),
  };
}
