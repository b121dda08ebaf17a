import type { Factor } from "@supabase/auth-js";

/** What an authenticator is called; older ones may have no name. */
export const factorName = (factor: Pick<Factor, "friendly_name">): string =>
  factor.friendly_name || "Authenticator app";
