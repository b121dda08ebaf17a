/** Artists as admins see and change them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

type Admin = typeof browserApi.artists.admin;

/** An artist of the list; dates are ISO strings. */
export type AdminArtist = Awaited<ReturnType<Admin["list"]>>["items"][number];
/** An artist with everything that can be edited. */
export type EditedArtist = Awaited<ReturnType<Admin["get"]>>;

/** All artists, newest first. */
export const useAdminArtists = (input: Parameters<Admin["list"]>[0]) =>
  useQuery(orpc.artists.admin.list.queryOptions({ input, placeholderData: keepPreviousData }));

/** One artist to edit; nothing is asked for a new one. */
export const useAdminArtist = (id: string | undefined) =>
  useQuery(orpc.artists.admin.get.queryOptions({ input: { id: id ?? "" }, enabled: id !== undefined }));

function useArtistsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.artists.admin.key() });
}

/** Changes what is named: also whether the artist is active or featured. */
export const useChangeArtist = () =>
  useMutation(orpc.artists.admin.change.mutationOptions({ onSuccess: useArtistsChanged() }));

/** Stores a new artist, who can be found and booked at once. */
export const useCreateArtist = () =>
  useMutation(orpc.artists.admin.create.mutationOptions({ onSuccess: useArtistsChanged() }));
