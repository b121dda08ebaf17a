/** Very many artists, for benchmarks; the artists room writes its own table. */
export { loadTestArtistsSql } from "#artists/index.ts";
