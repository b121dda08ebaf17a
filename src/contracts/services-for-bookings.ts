export { signingServiceOf } from "./choice/provider-choice.ts";
export {
  type EsignEvent,
  EsignFailure,
  contractIdIn,
  externalIdOf,
  type Invited,
  type SigningService,
} from "./providers/provider.ts";
export { type ProviderChange, applyProviderState } from "./providers/provider-state.ts";
export { checkSigned } from "./providers/signed-document.ts";
export * as outgoing from "./providers/outgoing.store.ts";
