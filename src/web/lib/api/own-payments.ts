/** What the signed-in person has paid or earned. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** A payment of one's own bookings; dates are ISO strings. */
export type PromoterPayment = Awaited<ReturnType<typeof browserApi.ownPayments.promoter>>["items"][number];

/** What the signed-in artist has earned. */
export const usePayouts = () => useQuery(orpc.ownPayments.payouts.queryOptions());

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
