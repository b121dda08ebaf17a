/** One booking whole, for its page behind the login, and what changes it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc } from "./query.ts";

/** The booking; read again on every notification about bookings. */
export const useBooking = (id: string) => useQuery(orpc.bookings.read.queryOptions({ input: { id } }));

/** The receipts and invoices of the booking; read anew on every notification about money. */
export const useBookingDocuments = (id: string) => useQuery(orpc.documents.ofBooking.queryOptions({ input: { id } }));

/** Ends the promoter's own checkout; whatever shows bookings is stale then. */
export function useLetGo() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.letGo.mutationOptions({ onSuccess }));
}

/** The account confirms or withdraws a request that another browser sent in its name. */
export function useConfirmRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.confirmRequest.mutationOptions({ onSuccess }));
}

/** The artist accepts a request without a deposit. */
export function useAcceptRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.acceptance.accept.mutationOptions({ onSuccess }));
}

/** The artist declines it. */
export function useDeclineRequest() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.acceptance.decline.mutationOptions({ onSuccess }));
}

/** The promoter's word that the show was played. */
export function useCompleteBooking() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.complete.mutationOptions({ onSuccess }));
}

/** An admin attests that a contract was signed outside the platform. */
export function useMarkSigned() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.contract.markSigned.mutationOptions({ onSuccess }));
}

/** The promoter says that the artist did not appear. */
export function useReportNoShow() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.reportNoShow.mutationOptions({ onSuccess }));
}

/** An admin decides about such a report. */
export function useDecideNoShow() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.decideNoShow.mutationOptions({ onSuccess }));
}

/** An admin decides about an objection to an attested signature. */
export function useDecideObjection() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.bookings.contract.decideObjection.mutationOptions({ onSuccess }));
}

/** An admin has the refused part of a payout sent again. */
export function useRetryPayout() {
  const onSuccess = useRefreshBookings();
  return useMutation(orpc.payouts.retry.mutationOptions({ onSuccess }));
}

/** Reads everything that shows bookings again. */
export function useRefreshBookings() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: orpc.bookings.key() });
}
