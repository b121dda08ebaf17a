import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { exportPersonalData } from "#platform/personal-data/data-export.ts";
import { requireRecentActor } from "../authentication/authenticated-session.ts";
import type { AccountServices } from "../services.ts";
import { endSession } from "../sessions/sessions.store.ts";
import { accountApi } from "./api.ts";
import { deleteAccount, findDeletionObstacle } from "./delete-account.ts";
import { listSessions, personOf } from "./views.ts";

const route = implement(accountApi).$context<Context<AccountServices>>();

export const accountRoutes = {
  sessions: route.sessions.handler(async ({ context }) => ({
    items: await listSessions(context.db, requireActor(context), context.request.ip, context.services.realClock.now()),
  })),
  reauthenticate: route.reauthenticate.handler(async ({ input, context }) => {
    await requireRecentActor(context, input);
    return { recent: true as const };
  }),
  endSession: route.endSession.handler(async ({ input, context }) => {
    const actor = requireActor(context);
    if (input.sessionId !== actor.sessionId) await requireRecentActor(context);
    return context.transaction(async (tx) => {
      const ended = await endSession(tx, actor.userId, input.sessionId);
      if (!ended) throw notFound("This session has ended already.");
      return { ended: true as const };
    });
  }),
  exportData: route.exportData.handler(async ({ input, context }) => {
    const actor = await requireRecentActor(context, input);
    await context.services.limits.hit(`export ${actor.userId}`, 10, 3_600);
    return {
      exportedAt: context.services.realClock.now(),
      userId: actor.userId,
      tables: await exportPersonalData(
        context.db,
        context.services.personalDataTables,
        await personOf(context.db, actor.userId),
      ),
    };
  }),
  deletionObstacle: route.deletionObstacle.handler(async ({ context }) => ({
    obstacle: await findDeletionObstacle(context.db, requireActor(context).userId, context.services.realClock.now()),
  })),
  deleteAccount: route.deleteAccount.handler(async ({ input, context }) => {
    const actor = await requireRecentActor(context, input);
    const { services } = context;
    // Not the transaction of the context, which stops a deletion of its account.
    await services.database.transaction((tx) => deleteAccount(tx, services, actor));
    services.wake();
    return { deleted: true as const };
  }),
};
