/** What the signed-in person has paid or earned. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** A payment of one's own bookings; dates are ISO strings. */
export type PromoterPayment = Awaited<ReturnType<typeof browserApi.ownPayments.promoter>>["items"][number];

/** What the signed-in artist has earned; the list holds every page that was asked for. `month` is YYYY-MM, empty for all. */
export function usePayouts(month: string) {
  const input = (cursor: string | undefined) => ({ limit: 50, cursor, ...(month ? { month } : {}) });
  const query = useInfiniteQuery(
    orpc.ownPayments.payouts.infiniteOptions({
      input,
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const [first] = query.data?.pages ?? [];
  const data = first && { ...first, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
  return {
    data,
    error: query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}

/** Asks for the address at the payment provider where the account is set up or managed. */
export const useOpenPaymentAccount = () => useMutation(orpc.paymentAccount.open.mutationOptions());

/** Asks the provider how the account stands, on coming back from its pages. */
export function useRefreshPaymentAccount() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.ownPayments.key() });
  return useMutation(orpc.paymentAccount.refresh.mutationOptions({ onSuccess }));
}

/** The promoter's payments, newest payment first. */
export function usePromoterPayments() {
  const input = (cursor: string | undefined) => ({ limit: 50, cursor });
  const query = useInfiniteQuery(
    orpc.ownPayments.promoter.infiniteOptions({
      input,
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  return { query, payments: query.data?.pages.flatMap((page) => page.items) };
}
