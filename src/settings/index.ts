export { settingsRoutes } from "./routes.ts";
export {
  artistSettings,
  changeArtistSettings,
  findEsignApiKey,
  removeSellerData,
  platformSettings,
  promoterSettings,
  readArtistSettings,
  reencryptSettings,
  saveArtistSettings,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
} from "./settings.ts";
export { recordSenderDefaults } from "./sender-defaults.ts";
export { type LogoReplaced, readLogo, removeLogo, storeLogo } from "./logo/logo.ts";
export { insertSeedArtistSettings } from "./seed-import.ts";
export { settingsJobs } from "./logo/jobs.ts";
