import { isIP } from "node:net";
import type { Config } from "../config.ts";

/**
 * Returns the host that passkeys are bound to (WebAuthn's RP ID), from PUBLIC_URL. Null with a hosted GoTrue and on an IP address, where
 * passkeys are not offered.
 */
export function passkeyHost({ publicUrl, gotrue }: Pick<Config, "publicUrl" | "gotrue">): string | null {
  const { hostname } = new URL(publicUrl);
  return gotrue || isIP(hostname.replaceAll(/[[\]]/g, "")) ? null : hostname;
}
