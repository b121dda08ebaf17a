/** The settings of the signed-in person, and the commands that change them. A saved document replaces the one that was read. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "../api-error.ts";
import { orpc } from "./query.ts";

export const usePromoterSettings = () => useQuery(orpc.settings.promoter.read.queryOptions());

export const usePlatformSettings = () => useQuery(orpc.settings.platform.read.queryOptions());

/** Saves some of the platform's settings. What every page shows of them is read again with the next page. */
export function useSavePlatformSettings() {
  const queries = useQueryClient();
  const queryKey = orpc.settings.platform.read.queryKey();
  return useMutation(
    orpc.settings.platform.save.mutationOptions({
      onSuccess: (fresh) => {
        queries.setQueryData(queryKey, fresh);
        void queries.invalidateQueries({ queryKey: orpc.esign.key() });
      },
      onError: (error) => {
        if (apiErrorOf(error).status === 409) void queries.invalidateQueries({ queryKey });
      },
    }),
  );
}

export function useSaveEsignKey() {
  const queries = useQueryClient();
  const queryKey = orpc.settings.platform.read.queryKey();
  return useMutation(
    orpc.settings.platform.saveEsignKey.mutationOptions({
      onSuccess: (fresh) => queries.setQueryData(queryKey, fresh),
    }),
  );
}

export const useTestEsign = () => useMutation(orpc.esign.test.mutationOptions());

export const useEsignState = () => useQuery(orpc.esign.state.queryOptions());

export const useTestEsignWebhook = () => useMutation(orpc.esign.testWebhook.mutationOptions());

export const usePaymentWebhook = () => useQuery(orpc.webhooks.state.queryOptions());

export const useTestPaymentWebhook = () => useMutation(orpc.webhooks.test.mutationOptions());

/** The signed-in artist's settings; the server answers 404 until the account owns an artist profile. */
export const useArtistSettings = () => useQuery(orpc.artists.settings.read.queryOptions());

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
