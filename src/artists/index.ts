export { askForPrices } from "./price-currency.ts";
export { artPlugin, freePosterVariant, posterSignature } from "./art.plugin.ts";
export { matchPlace, type Place } from "./gazetteer/index.ts";
export { removeFiles, type FilesReleased } from "./media/files.ts";
export { artistsJobs } from "./media/jobs.ts";
export { artistFilesPlugin } from "./media/plugin.ts";
export { releaseFilesOf } from "./media/store.ts";
export { loadTestArtistsSql } from "./load-test-data.ts";
export { type Genre, isGenre, posterUrl } from "./rules.ts";
export { freeSlug } from "./slug.ts";
export { artistsRoutes } from "./routes.ts";
export { searchArtists } from "./search/search.views.ts";
export type { ArtistListInput } from "./artist.api.ts";
export {
  artistRow,
  countBooking,
  giveArtist,
  insertArtists,
  type KnownArtist,
  type NewArtist,
  recountReviews,
  retireArtistOf,
} from "./store.ts";
export { findArtistOf } from "./views.ts";
export { artistsDataLists } from "./data-export.ts";
