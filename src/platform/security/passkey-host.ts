import { isIP } from "node:net";
import type { Config } from "../config.ts";

/** Returns the WebAuthn RP ID from PUBLIC_URL. Null with a hosted GoTrue and on an IP address, which offer no passkeys. */
export function passkeyHost({ publicUrl, gotrue }: Pick<Config, "publicUrl" | "gotrue">): string | null {
  const { hostname } = new URL(publicUrl);
  return gotrue || isIP(hostname.replaceAll(/[[\]]/g, "")) ? null : hostname;
}
