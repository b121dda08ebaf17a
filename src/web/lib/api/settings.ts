import { type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "../api-error.ts";
import { orpc } from "./query.ts";

export const usePromoterSettings = () => useQuery(orpc.settings.promoter.read.queryOptions());

export const usePlatformSettings = () => useQuery(orpc.settings.platform.read.queryOptions());

/** Returns mutation options that cache the returned document. After a conflict (409) with another window the document reloads. */
function useSaved(queryKey: QueryKey) {
  const queries = useQueryClient();
  return {
    onSuccess: (fresh: unknown) => void queries.setQueryData(queryKey, fresh),
    onError: (error: unknown) => {
      if (apiErrorOf(error).status === 409) void queries.invalidateQueries({ queryKey });
    },
  };
}

/** Reloads the settings that pages show with the next page. */
export function useSavePlatformSettings() {
  const queries = useQueryClient();
  const { onSuccess, onError } = useSaved(orpc.settings.platform.read.queryKey());
  return useMutation(
    orpc.settings.platform.save.mutationOptions({
      onSuccess: (fresh) => {
        onSuccess(fresh);
        void queries.invalidateQueries({ queryKey: orpc.esign.key() });
      },
      onError,
    }),
  );
}

export const useSaveEsignKey = () =>
  useMutation(orpc.settings.platform.saveEsignKey.mutationOptions(useSaved(orpc.settings.platform.read.queryKey())));

export const useTestEsign = () => useMutation(orpc.esign.test.mutationOptions());

export const useEsignState = () => useQuery(orpc.esign.state.queryOptions());

export const useTestEsignWebhook = () => useMutation(orpc.esign.testWebhook.mutationOptions());

export const usePaymentWebhook = () => useQuery(orpc.webhooks.state.queryOptions());

export const useTestPaymentWebhook = () => useMutation(orpc.webhooks.test.mutationOptions());

/** Loads the artist's settings. The server returns 404 until the account has an artist profile. */
export const useArtistSettings = () => useQuery(orpc.artists.settings.read.queryOptions());

/** Reloads what My Profile and Media show of the settings. */
export function useSaveArtistSettings() {
  const queries = useQueryClient();
  const { onSuccess, onError } = useSaved(orpc.artists.settings.read.queryKey());
  return useMutation(
    orpc.artists.settings.save.mutationOptions({
      onSuccess: (fresh) => {
        onSuccess(fresh);
        void queries.invalidateQueries({ queryKey: orpc.artists.own.key() });
        void queries.invalidateQueries({ queryKey: orpc.artists.media.key() });
      },
      onError,
    }),
  );
}

export const useSavePromoterSettings = () =>
  useMutation(orpc.settings.promoter.save.mutationOptions(useSaved(orpc.settings.promoter.read.queryKey())));
