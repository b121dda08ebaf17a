export { settingsRoutes } from "./routes.ts";
export {
  artistSettings,
  changeArtistSettings,
  type Change,
  findEsignApiKey,
  forgetSeller,
  platformSettings,
  promoterSettings,
  readArtistSettings,
  reencryptSettings,
  saveArtistSettings,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
  type Versioned,
} from "./settings.ts";
export type { ArtistSettings, CurrencyChanged, PlatformSettings, PromoterSettings } from "./rules.ts";
export { type LogoReplaced, openLogo, removeLogo, storeLogo } from "./logo/logo.ts";
export { settingsJobs } from "./logo/jobs.ts";
export { settingsDataLists } from "./data-export.ts";
