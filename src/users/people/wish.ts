/** The wish to be an admin, from a sign-up outside demo mode. */
import type { Tx } from "#platform/db/index.ts";

/** The wish to be an admin waits for one; a wish that was decided before is not opened again. */
export const askForAdmin = (tx: Tx, userId: string, now: Date) =>
  tx
    .insertInto("admin_requests")
    .values({ user_id: userId, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
