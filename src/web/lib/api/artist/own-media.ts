import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc, useSaveOptions } from "../query.ts";

export type OwnMedia = Awaited<ReturnType<typeof browserApi.artists.media.read>>;
export type MediaInput = Parameters<typeof browserApi.artists.media.save>[0];

export const useOwnMedia = () => useQuery(orpc.artists.media.read.queryOptions());

export const useSaveOwnMedia = () =>
  useMutation(
    orpc.artists.media.save.mutationOptions(useSaveOptions(orpc.artists.media.read.queryKey(), orpc.artists.own.key())),
  );
