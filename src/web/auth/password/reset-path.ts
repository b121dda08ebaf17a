import { paths } from "#platform/site-paths.rules.ts";
import { rememberRoute } from "../../lib/auth/remembered-route.ts";
import { authClient } from "../../lib/auth/session.ts";

export async function resetPath(): Promise<string> {
  const { data } = await (await authClient()).mfa.getAuthenticatorAssuranceLevel();
  if (data?.nextLevel !== "aal2" || data.currentLevel === "aal2") return paths.resetPassword;
  rememberRoute(paths.resetPassword);
  return paths.code;
}
