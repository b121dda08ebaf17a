/** Very many artists, for benchmarks; the artists room writes its own table. */
export { manyArtistsSql } from "#artists/index.ts";
