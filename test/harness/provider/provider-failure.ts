export { ProviderFailure } from "#gateway/gateway.ts";
