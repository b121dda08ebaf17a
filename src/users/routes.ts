/** The handlers of the accounts room under /api. */
import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { accountChangesRoutes } from "./account-changes/routes.ts";
import { type AccountServices, accountRoutes } from "./account/routes.ts";
import { usersApi } from "./api.ts";
import { profileClaimsRoutes } from "./profile-claims/routes.ts";
import { directoryRoutes } from "./directory/routes.ts";
import { readMe } from "./views.ts";

const route = implement(usersApi).$context<Context<AccountServices>>();

export const usersRoutes = {
  me: route.me.handler(({ context }) => {
    const { demo, gotrue } = context.services.config;
    return readMe(context.db, requireActor(context), { demo, hosted: gotrue !== undefined });
  }),
  account: accountRoutes,
  people: directoryRoutes,
  claims: profileClaimsRoutes,
  accountChanges: accountChangesRoutes,
};
