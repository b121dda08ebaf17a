import type { ActOrigin } from "#contracts/index.ts";
import type { Context } from "#platform/http/context.ts";

const longestAgent = 300;

export const actOriginOf = ({ request }: Pick<Context, "request">): ActOrigin => ({
  address: request.ip || null,
  agent: request.headers.get("user-agent")?.slice(0, longestAgent) ?? null,
});
