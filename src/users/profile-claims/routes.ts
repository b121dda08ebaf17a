import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import type { AccountServices } from "../services.ts";
import { profileClaimsApi } from "./api.ts";
import { claimProfile, decideProfileClaim } from "./profile-claims.ts";
import { listClaimableArtists, listProfileClaimsOf, listOpenProfileClaims, requireClaim } from "./views.ts";

const route = implement(profileClaimsApi).$context<Context<AccountServices>>();

export const profileClaimsRoutes = {
  claimable: route.claimable.handler(async ({ context }) => ({
    items: await listClaimableArtists(context.db, requireActor(context).name),
  })),
  claim: route.claim.handler(async ({ input, context }) => {
    const actor = requireActor(context);
    await context.services.limits.hit(`claim ${actor.userId}`, 10, 86_400);
    return context.transaction(async (tx) => requireClaim(tx, await claimProfile(tx, actor, input, context.services)));
  }),
  mine: route.mine.handler(async ({ context }) => ({
    items: await listProfileClaimsOf(context.db, requireActor(context).userId),
  })),
  waiting: route.waiting.handler(({ context }) => listOpenProfileClaims(context.db, context.services.realClock.now())),
  decide: route.decide.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      await decideProfileClaim(tx, context.services, requireActor(context), input);
      return requireClaim(tx, input.claimId);
    }),
  ),
};
