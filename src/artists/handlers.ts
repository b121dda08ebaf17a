export { notifyImportFailing } from "./notices/import-failing.ts";
export { requestPriceConfirmation } from "./notices/price-currency.ts";
export { type FilesReleased, removeFiles } from "./media/files.ts";
export { releaseFilesOf } from "./media/store.ts";
export { applySuspension, assignOwner, retireArtistOf } from "./store.ts";
