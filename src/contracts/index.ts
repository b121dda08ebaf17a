/** The public index of contracts. */
export {
  draftContract,
  type DrawnAgreement,
  drawAgreement,
  issueContract,
  makeSignerLink,
  supplyDocument,
  termsHash,
} from "./contracts.ts";
export type { AgreementContext } from "./documents/variables.ts";
export { insertSeedContracts } from "./seed-import.ts";
export type { ContractTerms } from "./rules.ts";
export type { EvidenceEntry } from "./evidence/chain.ts";
export { type Contract, type DocumentKind, findContract, type LockedContract, noteSendingFailure } from "./store.ts";
export {
  type Attestation,
  attestationOf,
  attestContract,
  objectToAttestation,
  type Paper,
  storePaper,
} from "./attestations.ts";
export { readPaper } from "./papers.ts";
export { type ActOrigin, declineContract, noteOpened, signContract, voidContract } from "./signatures.ts";
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
export { type DrawnCopy, drawSealedCopy, storeSealedCopy, unsealedContracts } from "./sealed-copies.ts";
export { reencryptContracts } from "./seal/certificate.ts";
export { verifySealedCopy } from "./seal/verification.ts";
export { changeWindow, nextContractMoment, overdueContracts } from "./windows.ts";
export { contractsDataLists } from "./data-export.ts";
