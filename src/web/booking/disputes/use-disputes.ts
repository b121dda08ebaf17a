import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc } from "../../lib/api/query.ts";

export type ShownDispute = Awaited<ReturnType<typeof browserApi.bookings.disputes.list>>["items"][number];

export const useDisputes = (id: string) => useQuery(orpc.bookings.disputes.list.queryOptions({ input: { id } }));

export function useSendEvidence() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.send.mutationOptions({ onSuccess }));
}

export function useReturnShare() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.returnShare.mutationOptions({ onSuccess }));
}

export function useAcceptDispute() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(orpc.bookings.disputes.accept.mutationOptions({ onSuccess }));
}
