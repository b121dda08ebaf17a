import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc } from "./query.ts";

export const useBooking = (id: string) => useQuery(orpc.bookings.read.queryOptions({ input: { id } }));

export const useBookingDocuments = (id: string) => useQuery(orpc.documents.ofBooking.queryOptions({ input: { id } }));

export function useReleaseOwnHold() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.letGo.mutationOptions({ onSuccess }));
}

export function useConfirmRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.confirmRequest.mutationOptions({ onSuccess }));
}

export function useAcceptRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.acceptance.accept.mutationOptions({ onSuccess }));
}

export function useDeclineRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.acceptance.decline.mutationOptions({ onSuccess }));
}

export function useCompleteBooking() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.complete.mutationOptions({ onSuccess }));
}

export function useMarkSigned() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.contract.markSigned.mutationOptions({ onSuccess }));
}

export function useReportNoShow() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.reportNoShow.mutationOptions({ onSuccess }));
}

export function useDecideNoShow() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.decideNoShow.mutationOptions({ onSuccess }));
}

export function useDecideObjection() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.contract.decideObjection.mutationOptions({ onSuccess }));
}

export function useRetryPayout() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.payouts.retry.mutationOptions({ onSuccess }));
}

export function useRefreshBookings() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: orpc.bookings.key() });
}
