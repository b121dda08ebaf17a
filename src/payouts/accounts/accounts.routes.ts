import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { conflict } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { siteOf } from "#platform/http/request-headers.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { accountsApi } from "./accounts.api.ts";
import { openPaymentAccount, refreshAccount } from "./accounts.ts";
import { accountOfUser } from "./accounts.views.ts";

const on = implement(accountsApi).$context<Context<Payments>>();

export const accountsRoutes = on.router({
  open: on.open.handler(async ({ context }) => {
    const { userId } = requireActor(context);
    const own = await accountOfUser(context.db, userId);
    if (!own) throw conflict("Save your profile first, then set up payouts.");
    const site = siteOf(context.request.headers.get("host"), context.services.config.publicUrl);
    const page = `${site}${paths.artistArea.payouts}?account=returned`;
    const owner = { artistId: own.artistId, userId };
    return { url: await openPaymentAccount(context.services, owner, { returnUrl: page, refreshUrl: page }) };
  }),

  refresh: on.refresh.handler(async ({ context }) => {
    const { userId } = requireActor(context);
    const known = await accountOfUser(context.db, userId);
    if (known?.account) await refreshAccount(context.services, known.account);
    const own = await accountOfUser(context.db, userId);
    return { onboarding_status: own?.status ?? "not_started" };
  }),
});
