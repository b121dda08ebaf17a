export { allArtistsWhere } from "./admin/views.ts";
export { artPlugin, freePosterVariant, posterSignature } from "./art.plugin.ts";
export { posterInks } from "./artwork/poster.ts";

export { artistsJobs } from "./media/jobs.ts";
export { artistFilesPlugin } from "./media/plugin.ts";
export { storeDemoSample } from "./media/samples.ts";

export { publicShowOf } from "./public-shows/index.ts";
export { freeSlug } from "./slug.ts";
export { artistsRoutes } from "./routes.ts";
export { searchArtists } from "./search/search.views.ts";

export { artistRow, countBooking, insertArtists, type KnownArtist, recountReviews } from "./store.ts";
export { findArtistOf } from "./views.ts";
