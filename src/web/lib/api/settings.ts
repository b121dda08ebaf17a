/** The settings of the signed-in person, and the commands that change them. A saved document replaces the one that was read. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "./api-error.ts";
import { orpc } from "./query.ts";

/** The signed-in promoter's settings. */
export const usePromoterSettings = () => useQuery(orpc.settings.promoter.read.queryOptions());

/** The platform's settings, for admins. */
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

/** Stores the signing service's key, or forgets it. */
export function useSaveEsignKey() {
  const queries = useQueryClient();
  const queryKey = orpc.settings.platform.read.queryKey();
  return useMutation(
    orpc.settings.platform.saveEsignKey.mutationOptions({
      onSuccess: (fresh) => queries.setQueryData(queryKey, fresh),
    }),
  );
}

/** Calls the signing service with the stored key; nothing is changed by it. */
export const useTestEsign = () => useMutation(orpc.esign.test.mutationOptions());

/** Which service presents contracts, when it was last heard, and what could not be sent. */
export const useEsignState = () => useQuery(orpc.esign.state.queryOptions());

/** Signs and verifies an event of our own as the signing service does; nothing is stored. */
export const useTestEsignWebhook = () => useMutation(orpc.esign.testWebhook.mutationOptions());

/** When the card provider was last heard. */
export const usePaymentWebhook = () => useQuery(orpc.webhooks.state.queryOptions());

/** Signs and verifies an event of our own; nothing is stored. */
export const useTestPaymentWebhook = () => useMutation(orpc.webhooks.test.mutationOptions());

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
