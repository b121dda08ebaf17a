/** Failures of a payment provider, for tests outside the payments module. */
export { ProviderFailure } from "#gateway/gateway.ts";
