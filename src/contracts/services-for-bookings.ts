export { signingServiceOf } from "./choice/provider-choice.ts";
export { EsignFailure, contractIdIn, externalIdOf, type Invited, type SigningService } from "./providers/provider.ts";
export { type ProviderChange, applyProviderState } from "./providers/provider-state.ts";
export { checkSigned } from "./providers/signed-document.ts";
export * as outgoing from "./providers/outgoing.store.ts";
export * as esignEvents from "./webhooks/esign-events.store.ts";
