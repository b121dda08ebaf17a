import { sortsBy } from "#platform/list.rules.ts";

export const adminArtistSorts = sortsBy("name", "genre", "active", "rate", "featured");
export type AdminArtistSort = (typeof adminArtistSorts)[number];
