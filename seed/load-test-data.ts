/** Very many artists, for benchmarks; the artists module writes its own table. */
export { loadTestArtistsSql } from "#artists/index.ts";
