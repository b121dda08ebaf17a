import { recordActivity } from "#activity/index.ts";
import { hasRow, type Reader, type Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { erasePersonalData } from "#platform/personal-data/personal-data.store.ts";
import { announceAccessChange } from "../change-notifications.ts";
import { sendAccountDeleted } from "../emails.ts";
import { removeProfileClaims } from "../profile-claims/profile-claims.ts";
import { activeAdmins, lockAdmins } from "../roles/active-admins.ts";
import { deletionObstacles, fallbackRole } from "../rules.ts";
import type { AccountServices } from "../services.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { changeProfile, changeUser, lockUser } from "../store.ts";
import { lockAccountForDeletion } from "./account-lock.ts";
import { bookingObstacles, hasUnpaidEarnings, personOf } from "./views.ts";

/** Throws a conflict (409) while bookings are unfinished or earnings are owed, and for the last admin. Retires the user's artist. */
export async function deleteAccount(tx: Tx, services: AccountServices, actor: Actor): Promise<void> {
  await lockAccountForDeletion(tx, actor.userId);
  await lockAdmins(tx);
  const user = await lockUser(tx, actor.userId);
  if (!user) throw notFound("This account no longer exists.");
  await services.ownArtists.lock(tx, actor.userId);
  const now = services.realClock.now();
  const obstacle = await findDeletionObstacle(tx, actor.userId, now);
  if (obstacle) throw conflict(deletionObstacles[obstacle]);
  await endSessions(tx, actor.userId, "global");
  await removeProfileClaims(tx, actor.userId);
  await erasePersonalData(tx, services.personalDataTables, await personOf(tx, actor.userId));
  await services.ownArtists.retire(tx, actor.userId);
  await changeProfile(tx, actor.userId, {
    name: "Deleted user",
    email: `${actor.userId}@deleted.invalid`,
    role: fallbackRole,
  });
  await changeUser(tx, actor.userId, now, { deleted_at: now });
  // Enqueued after the erasure, which deletes every message to the address.
  if (user.email && user.email_confirmed_at !== null) await sendAccountDeleted(tx, user.email);
  await announceAccessChange(tx, actor.userId, "deleted");
  await recordActivity(tx, { type: "system", refId: actor.userId, message: "A user deleted their account" });
}

export async function findDeletionObstacle(reader: Reader, userId: string, now: Date) {
  if ((await isAdminNow(reader, userId)) && (await activeAdmins(reader, now)).every(({ id }) => id === userId))
    return "last_admin";
  const found = await bookingObstacles(reader, userId);
  if (found?.open_bookings) return "open_bookings";
  if (found?.open_dispute) return "open_dispute";
  if (found?.open_refund) return "open_refund";
  return (await hasUnpaidEarnings(reader, userId)) ? "unpaid_earnings" : null;
}

/** Reads the stored role, because the account may have become admin after the caller was authenticated. */
const isAdminNow = (reader: Reader, userId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from profiles where user_id = ${userId} and role = 'admin'`;
