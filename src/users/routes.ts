import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { accountChangesRoutes } from "./account-changes/routes.ts";
import { accountRoutes } from "./account/routes.ts";
import { usersApi } from "./api.ts";
import { directoryRoutes } from "./directory/routes.ts";
import { profileClaimsRoutes } from "./profile-claims/routes.ts";
import { authProvider } from "./providers/provider-choice.ts";
import type { AccountServices } from "./services.ts";
import { readMe } from "./views.ts";

const route = implement(usersApi).$context<Context<AccountServices>>();

export const usersRoutes = {
  me: route.me.handler(({ context }) => {
    const { config, realClock } = context.services;
    const mode = { demo: config.demo, hosted: authProvider(context.services).kind !== "local", now: realClock.now() };
    return readMe(context.db, requireActor(context), mode);
  }),
  account: accountRoutes,
  directory: directoryRoutes,
  claims: profileClaimsRoutes,
  accountChanges: accountChangesRoutes,
};
