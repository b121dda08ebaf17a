export {
  draftContract,
  type DrawnAgreement,
  drawAgreement,
  issueContract,
  makeSignerLink,
  type SentTo,
  supplyDocument,
  termsHash,
} from "./contracts.ts";
export type { AgreementContext } from "./documents/variables.ts";
export { insertSeedContracts } from "./seed-import.ts";
export type { EvidenceEntry } from "./evidence/chain.ts";
export { type DocumentKind, findContract, type LockedContract, recordSendingFailure } from "./store.ts";
export {
  type Attestation,
  attestationOf,
  attestContract,
  decideObjections,
  endObjections,
  objectToAttestation,
  type Paper,
  storeSignedDocument,
} from "./attestations.ts";
export { readSignedDocument } from "./signed-documents.ts";
export { consumeSigningCode, issueSigningCode, shownAddress, signingCodeOf } from "./codes/signing-codes.ts";
export { countCodeTry } from "./codes/signing-codes.store.ts";
export {
  type RequestOrigin,
  type SigningWay,
  declineContract,
  recordOpened,
  signContract,
  voidContract,
} from "./signatures.ts";
export {
  bookingOfContract,
  contractOf,
  type ContractSummary,
  documentKindsOf,
  documentOf,
  evidenceOf,
  evidenceTrailOf,
  filesOf,
  findSignerLink,
  sealCertificate,
} from "./views.ts";
export {
  drawSealedCopy,
  readSignedCopy,
  storeSealedCopy,
  unsealedContracts,
  verifySealedCopy,
} from "./sealed-copies.ts";
export { certificateFinding, reencryptContracts } from "./seal/certificate.ts";
export { changeWindow } from "./windows.ts";
export { nextContractMoment, overdueContracts } from "./windows.views.ts";
export { adapterOf, chosenProvider } from "./choice/provider-choice.ts";
export * as outgoing from "./providers/outgoing.store.ts";
export { type EsignAdapter, EsignFailure, contractIdIn, externalIdOf, type Invited } from "./providers/provider.ts";
export { type ProviderChange, applyProviderState } from "./providers/provider-state.ts";
export { type CheckedDocument, checkSigned } from "./providers/signed-document.ts";
export * as esignEvents from "./webhooks/esign-events.store.ts";
export { esignRoutes } from "./webhooks/esign.routes.ts";
export { esignWebhookPlugin } from "./webhooks/webhook.plugin.ts";
export { composeAgreement, makeAgreement } from "./documents/agreement.ts";
export { agreementText } from "./document-text.ts";
export { makePdf, type PdfDocument } from "./documents/pdf-page.ts";
export { currentTemplate, findTemplate, listTemplates, saveTemplate, templateVersions } from "./templates.ts";
