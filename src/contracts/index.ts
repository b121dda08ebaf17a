/** The public index of contracts. */
export { draftContract, termsHash } from "./contracts.ts";
export { insertSeedContracts } from "./seed-import.ts";
export type { ContractTerms } from "./rules.ts";
export type { Contract } from "./store.ts";
export { contractOf, type ContractSummary } from "./views.ts";
export { contractsDataLists } from "./data-export.ts";
