import { useQuery } from "@tanstack/react-query";
import { orpc } from "./query.ts";

export const useAdminOverview = () => useQuery(orpc.overviews.admin.queryOptions());

export const useAttention = () => useQuery(orpc.activity.attention.queryOptions());

export const useMoneyCases = () => useQuery(orpc.activity.moneyCases.queryOptions());

export const useArtistOverview = () => useQuery(orpc.overviews.artist.queryOptions());
