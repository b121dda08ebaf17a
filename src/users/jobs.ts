import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { deleteOldNetworks } from "./sessions/known-networks.store.ts";
import { deleteExpiredAccountChanges } from "./account-changes/account-changes.store.ts";
import { deleteExpiredChallenges } from "./mfa/factors.store.ts";
import { deleteExpiredCodes } from "./verification/one-time-codes.store.ts";
import { deleteExpiredSessionEnds, deleteExpiredSessions } from "./sessions/sessions.store.ts";
import { deleteOldRefreshTokens } from "./sessions/refresh-tokens.store.ts";
import { maintainSigningKeys } from "./sessions/signing-keys.ts";

export const usersJobs: readonly Job<PlatformServices>[] = [
  {
    name: "tend-signing-keys",
    purpose:
      "Changes the key that signs access tokens every 90 days and removes the one before it when its last token has run out.",
    when: { hourly: 7 },
    whenMoved: "real",
    run: maintainSigningKeys,
  },
  {
    name: "forget-ended-sessions",
    purpose:
      "Removes expired sessions, codes and challenges, old refresh tokens, and networks without a sign-in for 90 days.",
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
        await deleteExpiredAccountChanges(tx, now);
        await deleteOldNetworks(tx, now);
      });
    },
  },
];
