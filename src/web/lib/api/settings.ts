/** The settings of the signed-in person, and the commands that change them. A saved document replaces the one that was read. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "./api-error.ts";
import { orpc } from "./query.ts";

/** The signed-in promoter's settings. */
export const usePromoterSettings = () => useQuery(orpc.settings.promoter.read.queryOptions());

/** The signed-in artist's settings; the server answers 404 until the account owns an artist profile. */
export const useArtistSettings = () => useQuery(orpc.artists.settings.read.queryOptions());

/** Saves some of the artist's settings. */
export function useSaveArtistSettings() {
  const queries = useQueryClient();
  const queryKey = orpc.artists.settings.read.queryKey();
  return useMutation(
    orpc.artists.settings.save.mutationOptions({
      onSuccess: (fresh) => queries.setQueryData(queryKey, fresh),
      onError: (error) => {
        if (apiErrorOf(error).status === 409) void queries.invalidateQueries({ queryKey });
      },
    }),
  );
}

/** Saves some of a promoter's settings. After a change from another window the fresh document is read, and the answer says so. */
export function useSavePromoterSettings() {
  const queries = useQueryClient();
  const queryKey = orpc.settings.promoter.read.queryKey();
  return useMutation(
    orpc.settings.promoter.save.mutationOptions({
      onSuccess: (fresh) => queries.setQueryData(queryKey, fresh),
      onError: (error) => {
        if (apiErrorOf(error).status === 409) void queries.invalidateQueries({ queryKey });
      },
    }),
  );
}
