/** Makes artists for tests. */
import type { Tx } from "#platform/db/index.ts";
import { insertArtist, type NewArtist } from "#artists/store.ts";

/** Stores an artist that can be booked for $1,500, with only a name to be given. */
export const makeArtist = (tx: Tx, given: NewArtist) =>
  insertArtist(tx, {
    genre: "jazz",
    bio: "Three players and a long evening.",
    baseRate: 150_000,
    location: "Austin, Texas",
    yearsExperience: 8,
    ...given,
  });
