/** How a payment provider fails, for tests outside of the payments module. */
export { ProviderFailure } from "#gateway/gateway.ts";
