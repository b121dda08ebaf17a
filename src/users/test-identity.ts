import type { PlatformServices } from "#platform/services/index.ts";
import { testOidc } from "./oidc/provider.ts";
import { authProvider } from "./providers/provider-choice.ts";

export async function testIdentity(services: PlatformServices, part: "accounts" | "single sign-on"): Promise<string> {
  if (part === "accounts") return authProvider(services).test();
  if (!services.config.oidc) throw new Error("OIDC_ISSUER is not set");
  return testOidc(services.config.oidc);
}
