import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc, useCommand, useInvalidate } from "../query.ts";

export type QueuedHold = Awaited<ReturnType<typeof browserApi.calendar.holds.ofArtist>>["items"][number];

export const useQueue = (night: string) => useQuery(orpc.calendar.holds.ofArtist.queryOptions({ input: { night } }));

export const useAddHold = () => useCommand(orpc.calendar.holds.placeByHand, orpc.calendar.key());

/** Reloads after an error too, because a promoter or a deadline may have changed the hold. */
export function useQueueActions() {
  const { onSuccess: onSettled } = useInvalidate(orpc.calendar.key());
  return {
    extend: useMutation(orpc.calendar.holds.extend.mutationOptions({ onSettled })),
    reorder: useMutation(orpc.calendar.holds.reorder.mutationOptions({ onSettled })),
    convert: useMutation(orpc.bookings.heldNights.convert.mutationOptions({ onSettled })),
    release: useMutation(orpc.calendar.holds.release.mutationOptions({ onSettled })),
  };
}
