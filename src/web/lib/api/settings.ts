import { useMutation, useQuery } from "@tanstack/react-query";
import { orpc, useCommand, useSaveOptions } from "./query.ts";

export const usePromoterSettings = () => useQuery(orpc.settings.promoter.read.queryOptions());

export const usePlatformSettings = () => useQuery(orpc.settings.platform.read.queryOptions());

const platformKey = () => orpc.settings.platform.read.queryKey();

export const useSavePlatformSettings = () =>
  useMutation(orpc.settings.platform.save.mutationOptions(useSaveOptions(platformKey(), orpc.esign.key())));

export const useSaveEsignKey = () =>
  useMutation(orpc.settings.platform.saveEsignKey.mutationOptions(useSaveOptions(platformKey())));

export const useTestEsign = () => useMutation(orpc.esign.test.mutationOptions());

export const useEsignState = () => useQuery(orpc.esign.state.queryOptions());

export const useTestEsignWebhook = () => useMutation(orpc.esign.testWebhook.mutationOptions());

export const usePaymentWebhook = () => useQuery(orpc.webhooks.state.queryOptions());

export const useTestPaymentWebhook = () => useMutation(orpc.webhooks.test.mutationOptions());

export const useRetryProviderEvent = () =>
  useCommand(orpc.webhooks.retry, orpc.webhooks.key(), orpc.activity.attention.key());

/** The server returns 404 until the account has an artist profile. */
export const useArtistSettings = () => useQuery(orpc.artists.settings.read.queryOptions());
export type ArtistSettings = NonNullable<ReturnType<typeof useArtistSettings>["data"]>;

export const useSaveArtistSettings = () =>
  useMutation(
    orpc.artists.settings.save.mutationOptions(
      useSaveOptions(orpc.artists.settings.read.queryKey(), orpc.artists.own.key(), orpc.artists.media.key()),
    ),
  );

export const useSavePromoterSettings = () =>
  useMutation(orpc.settings.promoter.save.mutationOptions(useSaveOptions(orpc.settings.promoter.read.queryKey())));
