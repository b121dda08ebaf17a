import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc, useInvalidate } from "./query.ts";

export const useBooking = (id: string) => useQuery(orpc.bookings.read.queryOptions({ input: { id } }));

export const useBookingDocuments = (id: string) => useQuery(orpc.documents.ofBooking.queryOptions({ input: { id } }));

export const useReleaseOwnHold = () =>
  useMutation(orpc.bookings.letGo.mutationOptions(useInvalidate(orpc.bookings.key())));

export const useConfirmRequest = () =>
  useMutation(orpc.bookings.confirmRequest.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useAcceptRequest = () =>
  useMutation(orpc.bookings.acceptance.accept.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useDeclineRequest = () =>
  useMutation(orpc.bookings.acceptance.decline.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useCompleteBooking = () =>
  useMutation(orpc.bookings.complete.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useMarkSigned = () =>
  useMutation(orpc.bookings.contract.markSigned.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useStateNoShow = () =>
  useMutation(orpc.bookings.stateNoShow.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useDecideNoShow = () =>
  useMutation(orpc.bookings.decideNoShow.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useDecideObjection = () =>
  useMutation(orpc.bookings.contract.decideObjection.mutationOptions({ onSuccess: useRefreshBookings() }));

export const useRetryPayout = () =>
  useMutation(orpc.payouts.retry.mutationOptions({ onSuccess: useRefreshBookings() }));

export function useRefreshBookings() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: orpc.bookings.key() });
}
