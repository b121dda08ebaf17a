import { useMutation, useQuery } from "@tanstack/react-query";
import { useRefreshBookings } from "../../lib/api/booking-page.ts";
import { orpc } from "../../lib/api/query.ts";

export function useCreateBalanceLink() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.createLink.mutationOptions({ onSuccess }));
}

export function useExtendBalance() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.extend.mutationOptions({ onSuccess }));
}

export const useReleaseFigures = (id: string) =>
  useQuery(orpc.bookings.balance.previewRelease.queryOptions({ input: { id }, gcTime: 0, staleTime: 0 }));

export function useReleaseDate() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.balance.release.mutationOptions({ onSuccess }));
}
