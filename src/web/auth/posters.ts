import type { ApiClient } from "../lib/api/api-context.ts";

export async function wallPosters(api: ApiClient, count: number): Promise<string[]> {
  const { items } = await api.artists.list({ limit: count });
  return items.map((artist) => artist.picture_url);
}
