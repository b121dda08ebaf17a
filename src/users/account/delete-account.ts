/** Deletes the user's own account. The list of each table defines what happens to its personal data. */
import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { ListedTable } from "#platform/data-export.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { erasePersonalData } from "#platform/personal-data.store.ts";
import { sendAccountDeleted } from "../emails.ts";
import { removeProfileClaims } from "../profile-claims/profile-claims.ts";
import { requireAnotherAdmin, lockAdmins } from "../directory/admin-commands.ts";
import { type AccessChanged, fallbackRole } from "../rules.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { changeProfile, changeUser, lockUser } from "../store.ts";
import { hasOpenBookings } from "./views.ts";

/** Throws while bookings are unfinished and for the last admin. Finds rows by the account, its verified address and its verified number. */
export async function deleteAccount(
  tx: Tx,
  services: PlatformServices & Readonly<{ personalDataTables: readonly ListedTable[] }>,
  actor: Actor,
): Promise<void> {
  await lockAdmins(tx);
  const user = await lockUser(tx, actor.userId);
  if (!user) throw notFound("This account no longer exists.");
  if (await isAdminNow(tx, actor.userId))
    await requireAnotherAdmin(tx, services, actor.userId, "You are the last admin. Make another user an admin first.");
  if (await hasOpenBookings(tx, actor.userId))
    throw conflict("You have bookings that are not finished. Complete or cancel them first, then delete your account.");
  const now = services.realClock.now();
  await endSessions(tx, actor.userId, "global", null);
  await removeProfileClaims(tx, actor.userId);
  await erasePersonalData(tx, services.personalDataTables, {
    userId: actor.userId,
    email: user.email ?? "",
    emailVerified: user.email_confirmed_at !== null,
    phone: user.phone_confirmed_at === null ? null : user.phone,
  });
  await changeProfile(tx, actor.userId, {
    name: "Deleted user",
    email: `${actor.userId}@deleted.invalid`,
    role: fallbackRole,
  });
  await changeUser(tx, actor.userId, now, { deleted_at: now });
  // Enqueued after the erasure, which deletes every message to the address.
  if (user.email && user.email_confirmed_at !== null) await sendAccountDeleted(tx, user.email);
  await broadcastAccountChange(tx, actor.userId);
  await publish(tx, "user.access_changed", { userId: actor.userId, cause: "deleted" } satisfies AccessChanged);
  await recordActivity(tx, { type: "system", refId: actor.userId, message: "A user deleted their account" });
}

/** Reads the role under the lock, because the account may have become admin after the caller was authenticated. */
const isAdminNow = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom("profiles")
    .select("role")
    .where("user_id", "=", userId)
    .where("role", "=", "admin")
    .executeTakeFirst()) !== undefined;
