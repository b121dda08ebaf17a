import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { deleteOldNetworks } from "./sessions/known-networks.store.ts";
import { deleteExpiredAccountChanges } from "./account-changes/account-changes.store.ts";
import { deleteExpiredChallenges } from "./mfa/factors.store.ts";
import { deleteExpiredPasskeyChallenges } from "./passkeys/passkeys.store.ts";
import { deleteExpiredCodes } from "./verification/one-time-codes.store.ts";
import { deleteExpiredSessionEnds, deleteExpiredSessions } from "./sessions/sessions.store.ts";
import { deleteOldRefreshTokens } from "./sessions/refresh-tokens.store.ts";
import { maintainSigningKeys } from "./sessions/signing-keys.ts";

export const usersJobs: readonly Job<PlatformServices>[] = [
  {
    name: "tend-signing-keys",
    when: { hourly: 7 },
    whenMoved: "real",
    run: maintainSigningKeys,
  },
  {
    name: "forget-ended-sessions",
    when: { hourly: 23 },
    whenMoved: "real",
    run: async ({ database, realClock }) => {
      const now = realClock.now();
      await database.transaction(async (tx) => {
        await deleteExpiredSessions(tx, now);
        await deleteOldRefreshTokens(tx);
        await deleteExpiredSessionEnds(tx, now);
        await deleteExpiredCodes(tx, now);
        await deleteExpiredChallenges(tx, now);
        await deleteExpiredPasskeyChallenges(tx, now);
        await deleteExpiredAccountChanges(tx, now);
        await deleteOldNetworks(tx, now);
      });
    },
  },
];
