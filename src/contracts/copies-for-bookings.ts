export type { EvidenceEntry } from "./evidence/chain.ts";
export type { DocumentKind } from "./store.ts";
export { readSignedDocument } from "./signed-documents.ts";
export { documentKindsOf, evidenceOf, filesOf, sealCertificate } from "./views.ts";
export { drawCopyForBank, drawSealedCopy, storeSealedCopy, unsealedContracts } from "./sealed-copies.ts";
export { changeSigningWindow } from "./signing/signing-windows.ts";
export { contractTimes, overdueContracts } from "./signing/signing-windows.views.ts";
