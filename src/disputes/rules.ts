/** Pure rules of disputes for other modules and the browser. */
export * from "./disputes.rules.ts";
export * from "./reasons.rules.ts";
