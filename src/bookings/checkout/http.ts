import type { Payments } from "#gateway/gateway.ts";
import type { startContractAndCheckout } from "./checkout.ts";
import type { Context } from "#platform/http/context.ts";
import { siteOf } from "#platform/http/request-headers.ts";
import { addressBlock } from "#platform/security/limits.ts";

/** The address to come back to: on loopback the host of the request, elsewhere the configured one. */
export function originOf(context: Pick<Context<Payments>, "request" | "services">): string {
  return siteOf(context.request.headers.get("host"), context.services.config.publicUrl);
}

/** Returns the fingerprints of browser and address for the limits on holds. Loopback is not counted: it can stand for all visitors of a proxy. */
export function heldByOf({ request, services }: Pick<Context<Payments>, "request" | "services">) {
  const { browserKey, ip } = request;
  const block = ip === "" ? null : addressBlock(ip);
  const local = block === null || block.startsWith("127.") || block === "0:0:0:0::/64";
  return {
    browser: browserKey === "" ? null : browserKey,
    address: local ? null : services.keys.hmac("hold address", block).toString("base64url"),
  };
}

/** Returns the address of the deposit's checkout, or why there is none. */
export function toCheckoutReply(booking_id: string, answer: Awaited<ReturnType<typeof startContractAndCheckout>>) {
  if ("reason" in answer) return { booking_id, ...answer, checkout_url: null, session_id: null, held_until: null };
  const { url, ...opened } = answer;
  return { booking_id, reason: null, checkout_url: url, ...opened };
}
