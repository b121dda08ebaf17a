import type { ApiClient } from "../lib/api/api-context.ts";

/** Pictures for the wall beside the sign-in steps; a wall without posters when no artist can be booked yet. */
export async function wallPosters(api: ApiClient, count: number): Promise<string[]> {
  const { items } = await api.artists.list({ limit: count });
  return items.map((artist) => artist.picture_url);
}
