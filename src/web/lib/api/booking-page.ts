import type { ProcedureUtils } from "@orpc/tanstack-query";
import { useMutation, type UseMutationResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc } from "./query.ts";

export const useBooking = (id: string) => useQuery(orpc.bookings.read.queryOptions({ input: { id } }));

export const useBookingDocuments = (id: string) => useQuery(orpc.documents.ofBooking.queryOptions({ input: { id } }));

export const useConfirmRequest = () => useBookingCommand(orpc.bookings.confirmRequest);

export const useAcceptRequest = () => useBookingCommand(orpc.bookings.acceptance.accept);

export const useDeclineRequest = () => useBookingCommand(orpc.bookings.acceptance.decline);

export const useMarkSigned = () => useBookingCommand(orpc.bookings.contract.markSigned);

export const useStateNoShow = () => useBookingCommand(orpc.bookings.stateNoShow);

export const useDecideNoShow = () => useBookingCommand(orpc.bookings.decideNoShow);

export const useDecideObjection = () => useBookingCommand(orpc.bookings.contract.decideObjection);

export const useCreateBalanceLink = () => useBookingCommand(orpc.bookings.balance.createLink);

export const useExtendBalance = () => useBookingCommand(orpc.bookings.balance.extend);

export const useReleaseFigures = (id: string) =>
  useQuery(orpc.bookings.balance.previewRelease.queryOptions({ input: { id }, gcTime: 0, staleTime: 0 }));

export const useReleaseDate = () => useBookingCommand(orpc.bookings.balance.release);

export const useRetryPayout = () => useBookingCommand(orpc.payouts.retry);

export const useRecordPayoutPaidOutside = () => useBookingCommand(orpc.payouts.settle);

export function useRefreshBookings() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: orpc.bookings.key() });
}

export const useBookingCommand = <Input, Output, Failure extends Error>(
  procedure: ProcedureUtils<Record<never, never>, Input, Output, Failure>,
): UseMutationResult<Output, Failure, Input> =>
  useMutation(procedure.mutationOptions({ onSuccess: useRefreshBookings() }));
