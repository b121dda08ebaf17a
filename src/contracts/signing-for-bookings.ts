export { findContract, type LockedContract } from "./store.ts";
export { attestContract, decideObjections, objectToAttestation, storeSignedDocument } from "./signing/attestations.ts";
export type { SignedDocument } from "./attestations.store.ts";
export { consumeSigningCode, issueSigningCode, shownAddress, signingCodeOf } from "./codes/signing-codes.ts";
export { countCodeTry } from "./codes/signing-codes.store.ts";
export {
  type RequestOrigin,
  type SigningMethod,
  declineContract,
  recordCorrectedEmail,
  recordOpened,
  signContract,
} from "./signing/signatures.ts";
export { bookingOfContract, findSignerLink } from "./views.ts";
