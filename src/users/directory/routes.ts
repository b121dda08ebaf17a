import { implement } from "@orpc/server";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { requireRecentAuthentication } from "../authentication/reauthentication.ts";
import { authProvider } from "../providers/choice.ts";
import { directoryApi } from "./api.ts";
import {
  type CommandActor,
  becomeFirstAdmin,
  changeRole,
  decideRequest,
  endUserSessions,
  resetSecondFactor,
  restore,
  suspend,
} from "./admin-commands.ts";
import { listAdminRequests, listPeople, requirePerson } from "./views.ts";

const route = implement(directoryApi).$context<Context>();

function commandActor(context: Context): CommandActor {
  const { userId, name, email } = requireActor(context);
  return { userId, name, email };
}

export const directoryRoutes = {
  list: route.list.handler(({ input, context }) => listPeople(context.db, input, context.services.realClock.now())),
  changeRole: route.changeRole.handler(async ({ input, context }) => {
    const { services } = context;
    if (input.role === "admin")
      await requireRecentAuthentication(services, requireActor(context), context.request.ip, input);
    return context.transaction(async (tx) => {
      await changeRole(tx, { services, actor: commandActor(context), userId: input.userId, role: input.role });
      return requirePerson(tx, input.userId, services.realClock.now());
    });
  }),
  suspend: route.suspend.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      await suspend(tx, { services: context.services, actor: commandActor(context), ...input });
      return requirePerson(tx, input.userId, context.services.realClock.now());
    }),
  ),
  endSessions: route.endSessions.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      await endUserSessions(tx, { services: context.services, actor: commandActor(context), ...input });
      return requirePerson(tx, input.userId, context.services.realClock.now());
    }),
  ),
  restore: route.restore.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      await restore(tx, { services: context.services, actor: commandActor(context), ...input });
      return requirePerson(tx, input.userId, context.services.realClock.now());
    }),
  ),
  resetSecondFactor: route.resetSecondFactor.handler(async ({ input, context }) => {
    const { services } = context;
    if (authProvider(services).kind !== "local")
      throw new Problem(
        "not_implemented",
        "The sign-in service manages second factors. Its operator can remove this one there.",
      );
    await requireRecentAuthentication(services, requireActor(context), context.request.ip, input);
    return context.transaction(async (tx) => {
      await resetSecondFactor(tx, {
        services,
        actor: commandActor(context),
        userId: input.userId,
        reason: input.reason,
      });
      return requirePerson(tx, input.userId, services.realClock.now());
    });
  }),
  adminRequests: route.adminRequests.handler(({ context }) => listAdminRequests(context.db)),
  decideAdminRequest: route.decideAdminRequest.handler(async ({ input, context }) => {
    const { services } = context;
    if (input.granted) await requireRecentAuthentication(services, requireActor(context), context.request.ip, input);
    return context.transaction(async (tx) => {
      await decideRequest(tx, { services, actor: commandActor(context), userId: input.userId, granted: input.granted });
      return requirePerson(tx, input.userId, services.realClock.now());
    });
  }),
  becomeFirstAdmin: route.becomeFirstAdmin.handler(async ({ input, context }) => {
    const { services } = context;
    const actor = requireActor(context);
    await services.limits.hit(`operator token ${context.request.ip}`, 10, 3_600);
    return context.transaction(async (tx) => {
      await becomeFirstAdmin(tx, services, actor, input.token);
      return requirePerson(tx, actor.userId, services.realClock.now());
    });
  }),
};
