/** What an artist does about the balance of a booking: the link, more time, the release of the date. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRefreshBookings } from "../api/booking-page.ts";
import { orpc } from "../api/query.ts";

/** Prepares a link that pays the balance; each call makes another one. */
export function useCreateBalanceLink() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.createLink.mutationOptions({ onSuccess }));
}

/** Gives the promoter time until the end of another day. */
export function useExtendBalance() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.extend.mutationOptions({ onSuccess }));
}

/** The figures of a release, read afresh whenever its dialog opens. */
export const useReleaseFigures = (id: string) =>
  useQuery(orpc.bookings.balance.previewRelease.queryOptions({ input: { id }, gcTime: 0, staleTime: 0 }));

/** Ends the booking with the figures that were shown. */
export function useReleaseDate() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.release.mutationOptions({ onSuccess }));
}
