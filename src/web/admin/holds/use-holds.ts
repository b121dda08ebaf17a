import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useInvalidate } from "../../lib/api/query.ts";

export type ListedHold = Awaited<ReturnType<typeof browserApi.calendar.holds.ofAll>>["items"][number];

export const useAllHolds = (input: Parameters<typeof browserApi.calendar.holds.ofAll>[0]) =>
  useQuery(orpc.calendar.holds.ofAll.queryOptions({ input, placeholderData: keepPreviousData }));

/** Reloads after an error too, because the promoter, the artist or a deadline may have changed the hold. */
export function useReleaseAnyHold() {
  const { onSuccess: onSettled } = useInvalidate(orpc.calendar.holds.key());
  return useMutation(orpc.calendar.holds.releaseByAdmin.mutationOptions({ onSettled }));
}
