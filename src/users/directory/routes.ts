import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { requireRecentActor } from "../authentication/authenticated-session.ts";
import { authProvider } from "../providers/provider-choice.ts";
import {
  type AdminCommand,
  becomeFirstAdmin,
  changeRole,
  decideRequest,
  endUserSessions,
  resetSecondFactor,
  restore,
  suspend,
} from "./admin-commands.ts";
import { directoryApi, type Person } from "./api.ts";
import { listAdminRequests, listUsers, requirePerson } from "./views.ts";

const route = implement(directoryApi).$context<Context>();

function run<Input extends { userId: string }>(
  command: (tx: Tx, given: AdminCommand & Input) => Promise<void>,
  input: Input,
  context: Context,
): Promise<Person> {
  const { userId, name, email } = requireActor(context);
  const { services } = context;
  return context.transaction(async (tx) => {
    await command(tx, { ...input, services, actor: { userId, name, email } });
    return requirePerson(tx, input.userId, services.realClock.now());
  });
}

export const directoryRoutes = {
  list: route.list.handler(({ input, context }) => listUsers(context.db, input, context.services.realClock.now())),
  changeRole: route.changeRole.handler(async ({ input, context }) => {
    if (input.role === "admin") await requireRecentActor(context, input);
    return run(changeRole, input, context);
  }),
  suspend: route.suspend.handler(({ input, context }) => run(suspend, input, context)),
  endSessions: route.endSessions.handler(({ input, context }) => run(endUserSessions, input, context)),
  restore: route.restore.handler(({ input, context }) => run(restore, input, context)),
  resetSecondFactor: route.resetSecondFactor.handler(async ({ input, context }) => {
    if (authProvider(context.services).kind !== "local")
      throw new Problem(
        "not_implemented",
        "The sign-in service manages second factors. Its operator can remove this one there.",
      );
    await requireRecentActor(context, input);
    return run(resetSecondFactor, input, context);
  }),
  adminRequests: route.adminRequests.handler(({ context }) => listAdminRequests(context.db)),
  decideAdminRequest: route.decideAdminRequest.handler(async ({ input, context }) => {
    if (input.granted) await requireRecentActor(context, input);
    return run(decideRequest, input, context);
  }),
  becomeFirstAdmin: route.becomeFirstAdmin.handler(async ({ input, context }) => {
    const { services } = context;
    const actor = requireActor(context);
    await services.limits.hit(`operator token ${limitBlock(context.request)}`, 10, 3_600);
    return context.transaction(async (tx) => {
      await becomeFirstAdmin(tx, services, actor, input.token);
      return requirePerson(tx, actor.userId, services.realClock.now());
    });
  }),
};
