/** The rules of contracts that other modules and the browser use, pure. */
export * from "./rules/contract.rules.ts";
export { templateLimits } from "./rules/template-check.rules.ts";
export { clauseConditions } from "./rules/template.rules.ts";
