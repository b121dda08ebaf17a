/** The rules of disputes that other modules and the browser use, pure. */
export * from "./disputes.rules.ts";
export * from "./reasons.rules.ts";
