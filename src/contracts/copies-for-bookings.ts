export type { EvidenceEntry } from "./evidence/chain.ts";
export type { DocumentKind } from "./store.ts";
export { readSignedDocument } from "./signed-documents.ts";
export { documentKindsOf, evidenceOf, filesOf, sealCertificate } from "./views.ts";
export { drawCopyForBank, drawSealedCopy, storeSealedCopy, unsealedContracts } from "./sealed-copies.ts";
export { changeWindow } from "./windows.ts";
export { contractTimes, overdueContracts } from "./windows.views.ts";
