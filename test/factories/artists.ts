import { insertArtist, type NewArtist } from "#artists/store.ts";
import type { Tx } from "#platform/db/index.ts";

/** Stores a bookable artist at $1,500. Only a name is required. */
export const makeArtist = (tx: Tx, given: NewArtist) =>
  insertArtist(tx, {
    genre: "jazz",
    bio: "Three players and a long evening.",
    baseRate: 150_000,
    location: "Austin, Texas",
    yearsExperience: 8,
    ...given,
  });
