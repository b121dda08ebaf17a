import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type PromoterPayment = Awaited<ReturnType<typeof browserApi.ownPayments.promoter>>["items"][number];

type PayoutSort = NonNullable<Parameters<typeof browserApi.ownPayments.payouts>[0]>["sort"];

export function usePayouts({ month, sort }: Readonly<{ month: string; sort: PayoutSort }>) {
  const input = (cursor: string | undefined) => ({ limit: 20, cursor, sort, ...(month ? { month } : {}) });
  const query = useInfiniteQuery(
    orpc.ownPayments.payouts.infiniteOptions({
      input,
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const [first] = query.data?.pages ?? [];
  return { query, payouts: first && { ...first, items: query.data?.pages.flatMap((page) => page.items) ?? [] } };
}

export const useOpenPaymentAccount = () => useMutation(orpc.paymentAccount.open.mutationOptions());

export const useRefreshPaymentAccount = () => useCommand(orpc.paymentAccount.refresh, orpc.ownPayments.key());

export const usePromoterPayments = (input: Parameters<typeof browserApi.ownPayments.promoter>[0]) =>
  useQuery(orpc.ownPayments.promoter.queryOptions({ input, placeholderData: keepPreviousData }));
