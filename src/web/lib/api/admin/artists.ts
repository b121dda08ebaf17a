import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../browser-api.ts";
import { orpc, useCommand } from "../query.ts";

type Admin = typeof browserApi.artists.admin;

export type AdminArtist = Awaited<ReturnType<Admin["list"]>>["items"][number];
export type EditedArtist = Awaited<ReturnType<Admin["get"]>>;

export const useAdminArtists = (input: Parameters<Admin["list"]>[0]) =>
  useQuery(orpc.artists.admin.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminArtist = (id: string | undefined) =>
  useQuery(orpc.artists.admin.get.queryOptions({ input: { id: id ?? "" }, enabled: id !== undefined }));

export const useChangeArtist = () => useCommand(orpc.artists.admin.change, orpc.artists.admin.key());

export const useCreateArtist = () => useCommand(orpc.artists.admin.create, orpc.artists.admin.key());
