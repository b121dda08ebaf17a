/** The disputes of a booking's payments, for admins. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../api/browser-api.ts";
import { orpc } from "../api/query.ts";

/** A dispute; dates are ISO strings. */
export type ShownDispute = Awaited<ReturnType<typeof browserApi.bookings.disputes.list>>["items"][number];

/** The disputes of a booking; read again on every notification about bookings. */
export const useDisputes = (id: string) => useQuery(orpc.bookings.disputes.list.queryOptions({ input: { id } }));

/** Sends the evidence against a dispute; whatever shows bookings is stale then. */
export function useSendEvidence() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.send.mutationOptions({ onSuccess }));
}

/** Gives the artist's share of a dispute back that an appeal has won. */
export function useReturnShare() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.returnShare.mutationOptions({ onSuccess }));
}

/** Accepts a dispute instead of answering it. */
export function useAcceptDispute() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.accept.mutationOptions({ onSuccess }));
}
