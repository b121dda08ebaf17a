export {
  canonicalHash,
  type DrawnAgreement,
  drawAgreement,
  issueContract,
  makeSignerLink,
  type SentTo,
  addMissingDocument,
} from "./issue.ts";
export type { AgreementContext } from "./documents/variables.ts";
export { recordSendingFailure, markLinksUsed as endSignerLinks } from "./store.ts";
export { composeAgreement, makeAgreement } from "./documents/agreement.ts";
export { agreementText } from "./document-text.ts";
export { currentTemplate, findTemplate, listTemplates, saveTemplate, templateVersions } from "./templates.ts";
