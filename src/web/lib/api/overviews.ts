/** The queries of the two overviews. MetricCards are asked for again whenever the window comes to the front. */
import { useQuery } from "@tanstack/react-query";
import { orpc } from "./query.ts";

/** The admin's last thirty days. */
export const useAdminOverview = () => useQuery(orpc.overviews.admin.queryOptions());

/** The signed-in artist's shows and deposits. */
export const useArtistOverview = () => useQuery(orpc.overviews.artist.queryOptions());
