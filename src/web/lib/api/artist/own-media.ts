import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc } from "../query.ts";

export type OwnMedia = Awaited<ReturnType<typeof browserApi.artists.media.read>>;
export type MediaInput = Parameters<typeof browserApi.artists.media.save>[0];

export const useOwnMedia = () => useQuery(orpc.artists.media.read.queryOptions());

export function useSaveOwnMedia() {
  const queries = useQueryClient();
  return useMutation(
    orpc.artists.media.save.mutationOptions({
      onSuccess: (media) => {
        queries.setQueryData(orpc.artists.media.read.queryKey(), media);
        void queries.invalidateQueries({ queryKey: orpc.artists.own.key() });
      },
    }),
  );
}
