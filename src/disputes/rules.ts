export * from "./disputes.rules.ts";
export * from "./reasons.rules.ts";
