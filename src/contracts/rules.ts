export * from "./rules/contract.rules.ts";
export { checkTemplate, templateLimits } from "./rules/template-check.rules.ts";
export { type AgreementText, clauseConditions, type TemplateVariable } from "./rules/template.rules.ts";
export { evidenceText } from "./rules/evidence-text.rules.ts";
export type { DocumentText } from "./rules/document-text.rules.ts";
export { standardTemplate } from "./rules/standard-template.rules.ts";
