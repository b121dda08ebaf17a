import { isIP } from "node:net";
import type { Config } from "../config.ts";

/** The host that passkeys are bound to (WebAuthn's RP ID), from PUBLIC_URL; null where they are not offered: with a hosted GoTrue, and on an IP address. */
export function passkeyHost({ publicUrl, gotrue }: Pick<Config, "publicUrl" | "gotrue">): string | null {
  const { hostname } = new URL(publicUrl);
  return gotrue || isIP(hostname.replaceAll(/[[\]]/g, "")) ? null : hostname;
}
