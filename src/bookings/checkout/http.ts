import type { Payments } from "#gateway/gateway.ts";
import type { Context } from "#platform/http/context.ts";
import { siteOf } from "#platform/http/request-headers.ts";
import { addressBlock } from "#platform/security/limits.ts";
import { isOwnOf } from "../policy.ts";
import { callerOf } from "../request/booking-cookie.ts";
import { startContractAndCheckout } from "./checkout.ts";

export function originOf(context: Pick<Context<Payments>, "request" | "services">): string {
  return siteOf(context.request.headers.get("host"), context.services.config.publicUrl);
}

/** Returns the fingerprints of browser and address for the limits on holds. Loopback is not counted, because a proxy can send all visitors from it. */
export function holdLimitFingerprints({ request, services }: Pick<Context<Payments>, "request" | "services">) {
  const { browserKey, ip } = request;
  const block = ip ? addressBlock(ip) : null;
  const local = block === null || block.startsWith("127.") || block === "0:0:0:0::/64";
  return {
    browser: browserKey === "" ? null : browserKey,
    address: local ? null : services.keys.hmac("hold address", block).toString("base64url"),
  };
}

type Http = Context<Payments>;

export const readingTimeOf = ({ services }: Http) => ({
  now: services.clock.now(),
  payments: services.gateway !== null,
});

/** `email`: a verified address, whose holds count besides those of browser and network. By default that of the account. */
export function callerFrom(context: Http, email = provenAddressOf(context)) {
  const limited = context.services.config.rateLimits;
  const heldBy = { ...holdLimitFingerprints(context), email: email?.toLowerCase() ?? null };
  const caller = callerOf(context);
  return {
    caller,
    isOwn: isOwnOf(caller),
    promoterUserId: caller.userId,
    heldBy: limited ? heldBy : null,
    ...readingTimeOf(context),
  };
}

const provenAddressOf = ({ actor }: Http) => (actor?.emailVerified ? actor.email : undefined);

export const requesterFrom = (context: Http) => ({
  ...callerFrom(context),
  actor: context.actor,
  keys: context.services.keys,
  browser: holdLimitFingerprints(context).browser,
});

export const checkoutFor = (context: Http, bookingId: string) => ({
  bookingId,
  caller: callerOf(context),
  heldBy: holdLimitFingerprints(context),
  origin: originOf(context),
});

export async function checkoutOf(context: Http, booking_id: string) {
  const response = await startContractAndCheckout(context.services, checkoutFor(context, booking_id));
  if ("reason" in response) return { booking_id, ...response, checkout_url: null, session_id: null, held_until: null };
  const { url: checkout_url, ...opened } = response;
  return { booking_id, reason: null, checkout_url, ...opened };
}
