import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { currentTime } from "../../clock.ts";
import { dayIn, localToday } from "../../format/dates.ts";
import type { browserApi } from "../browser-api.ts";
import { orpc, useSaveOptions } from "../query.ts";

export type OwnProfile = Awaited<ReturnType<typeof browserApi.artists.own.read>>;
export type ProfileInput = Parameters<typeof browserApi.artists.own.save>[0];
export type Location = Awaited<ReturnType<typeof browserApi.artists.own.places>>["items"][number];

export const useOwnProfile = () => useQuery(orpc.artists.own.read.queryOptions());

export const todayOf = (profile: Pick<OwnProfile, "time_zone"> | undefined): string =>
  profile?.time_zone ? dayIn(profile.time_zone, currentTime()) : localToday();

export const useSaveOwnProfile = () =>
  useMutation(
    orpc.artists.own.save.mutationOptions(
      useSaveOptions(orpc.artists.own.read.queryKey(), orpc.artists.media.key(), orpc.overviews.key()),
    ),
  );

const maxSearchLength = 100;

export const usePlaces = (search: string) =>
  useQuery({
    ...orpc.artists.own.places.queryOptions({ input: { search } }),
    enabled: search.length >= 2 && search.length <= maxSearchLength,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
