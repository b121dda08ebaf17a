import type { RequestOrigin } from "#contracts/signing-for-bookings.ts";
import type { Context } from "#platform/http/context.ts";

const maxAgentLength = 300;

export const requestOriginOf = ({ request }: Pick<Context, "request">): RequestOrigin => ({
  address: request.ip || null,
  agent: request.headers.get("user-agent")?.slice(0, maxAgentLength) ?? null,
});
