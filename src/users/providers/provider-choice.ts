import type { PlatformServices } from "#platform/services/index.ts";
import { hostedProvider } from "./gotrue-hosted/provider.ts";
import { localProvider } from "./local/provider.ts";
import type { AuthProvider } from "./provider.ts";

export const authProvider = (services: PlatformServices): AuthProvider =>
  services.config.gotrue ? hostedProvider(services) : localProvider(services);
