import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc } from "../query.ts";

export type OwnProfile = Awaited<ReturnType<typeof browserApi.artists.own.read>>;
export type ProfileInput = Parameters<typeof browserApi.artists.own.save>[0];
export type Location = Awaited<ReturnType<typeof browserApi.artists.own.places>>["items"][number];

export const useOwnProfile = () => useQuery(orpc.artists.own.read.queryOptions());

export function useSaveOwnProfile() {
  const queries = useQueryClient();
  return useMutation(
    orpc.artists.own.save.mutationOptions({
      onSuccess: (profile) => {
        queries.setQueryData(orpc.artists.own.read.queryKey(), profile);
        void queries.invalidateQueries({ queryKey: orpc.artists.media.key() });
        void queries.invalidateQueries({ queryKey: orpc.overviews.key() });
      },
    }),
  );
}

/** The server's limit. No location name is longer. */
const maxSearchLength = 100;

export const usePlaces = (search: string) =>
  useQuery({
    ...orpc.artists.own.places.queryOptions({ input: { search } }),
    enabled: search.length >= 2 && search.length <= maxSearchLength,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
