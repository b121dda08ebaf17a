/** Where an act on a contract came from, as far as HTTP shows; it is kept in the evidence. */
import type { ActOrigin } from "#contracts/index.ts";
import type { Context } from "#platform/http/context.ts";

const longestAgent = 300;

/** The address and the program of a request. */
export const actOriginOf = ({ request }: Pick<Context, "request">): ActOrigin => ({
  address: request.ip || null,
  agent: request.headers.get("user-agent")?.slice(0, longestAgent) ?? null,
});
