export { notifyImportFailing } from "./notices/import-failing.ts";
export { requestPriceConfirmation } from "./notices/price-currency.ts";
export { type FilesReleased, removeFiles } from "./media/files.ts";
export { retireOwnArtist } from "./own-profile/retire.ts";
export { applySuspension, assignOwner, lockArtistOf } from "./store.ts";
