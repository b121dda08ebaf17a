import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { deleteOldNetworks } from "./sessions/known-networks.store.ts";
import { deleteOldRefreshTokens } from "./sessions/refresh-tokens.store.ts";
import { deleteExpiredSessions } from "./sessions/sessions.store.ts";
import { maintainSigningKeys } from "./sessions/signing-keys.ts";
import { deleteExpiredRows } from "./store.ts";

export const usersJobs: readonly Job<PlatformServices>[] = [
  { name: "tend-signing-keys", when: { hourly: 7 }, whenMoved: "real", run: maintainSigningKeys },
  {
    name: "forget-ended-sessions",
    when: { hourly: 23 },
    whenMoved: "real",
    run: async ({ database, realClock }) => {
      const now = realClock.now();
      await database.transaction(async (tx) => {
        await deleteExpiredSessions(tx, now);
        await deleteOldRefreshTokens(tx);
        await deleteExpiredRows(tx, now);
        await deleteOldNetworks(tx, now);
      });
    },
  },
];
