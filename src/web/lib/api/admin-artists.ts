import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useInvalidate } from "./query.ts";

type Admin = typeof browserApi.artists.admin;

export type AdminArtist = Awaited<ReturnType<Admin["list"]>>["items"][number];
export type EditedArtist = Awaited<ReturnType<Admin["get"]>>;

export const useAdminArtists = (input: Parameters<Admin["list"]>[0]) =>
  useQuery(orpc.artists.admin.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminArtist = (id: string | undefined) =>
  useQuery(orpc.artists.admin.get.queryOptions({ input: { id: id ?? "" }, enabled: id !== undefined }));

const useArtistsChanged = () => useInvalidate(orpc.artists.admin.key());

export const useChangeArtist = () => useMutation(orpc.artists.admin.change.mutationOptions(useArtistsChanged()));

export const useCreateArtist = () => useMutation(orpc.artists.admin.create.mutationOptions(useArtistsChanged()));
