import type { Factor } from "@supabase/auth-js";

export const factorName = (factor: Pick<Factor, "friendly_name">): string =>
  factor.friendly_name || "Authenticator app";
