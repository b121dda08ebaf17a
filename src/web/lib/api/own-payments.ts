/** What the signed-in person has paid or earned. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** A payment of one's own bookings; dates are ISO strings. */
export type PromoterPayment = Awaited<ReturnType<typeof browserApi.ownPayments.promoter>>["items"][number];

/** What the signed-in artist has earned. */
export const usePayouts = () => useQuery(orpc.ownPayments.payouts.queryOptions());

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
