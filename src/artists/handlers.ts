export { notifyImportFailing } from "./notices/import-failing.ts";
export { requestPriceConfirmation } from "./notices/price-currency.ts";
export { type FilesReleased, removeFiles } from "./media/files.ts";
export { giveArtist, retireOwnArtist } from "./own-profile/ownership.ts";
export { applyOwnerAccess, lockArtistOf } from "./store.ts";
