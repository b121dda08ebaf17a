/** Deletes one's account: personal data goes, what must be kept stays without a name. */
import { record } from "#activity/index.ts";
import { json, type Tx } from "#platform/db/index.ts";
import { Problem, notFound } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { publish } from "#platform/event-outbox.ts";
import type { PlatformServices } from "#platform/services.ts";
import { removeProfileClaims } from "../profile-claims/profile-claims.ts";
import { keepOneAdmin, lockAdmins } from "../directory/admin-commands.ts";
import { type AccessChanged, fallbackRole } from "../rules.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { changeProfile, changeUser, deleteCredentials, lockUser } from "../store.ts";
import { hasOpenBookings } from "./views.ts";

/** Fails while bookings are unfinished and for the last admin. Sessions, factors, codes, name and addresses go at once. */
export async function deleteAccount(tx: Tx, services: PlatformServices, actor: Actor): Promise<void> {
  await lockAdmins(tx);
  if (!(await lockUser(tx, actor.userId))) throw notFound("This account does not exist any more.");
  if (await isAdminNow(tx, actor.userId))
    await keepOneAdmin(tx, services, actor.userId, "You are the last admin. Make somebody else an admin first.");
  if (await hasOpenBookings(tx, actor.userId)) {
    throw new Problem(
      "conflict",
      "You have bookings that are not finished. Complete or cancel them first, then delete your account.",
    );
  }
  const now = services.realClock.now();
  await endSessions(tx, actor.userId, "global", null);
  await deleteCredentials(tx, actor.userId);
  await removeProfileClaims(tx, actor.userId);
  await changeProfile(tx, actor.userId, {
    name: "Deleted user",
    email: `${actor.userId}@deleted.invalid`,
    role: fallbackRole,
  });
  await changeUser(tx, actor.userId, now, {
    email: null,
    phone: null,
    new_email: null,
    new_phone: null,
    password_hash: null,
    idle_sign_up_hash: null,
    user_metadata: json({}),
    deleted_at: now,
  });
  await broadcastAccountChange(tx, actor.userId);
  await publish(tx, "user.access_changed", { userId: actor.userId, cause: "deleted" } satisfies AccessChanged);
  await record(tx, { type: "system", refId: actor.userId, message: "A person deleted their account" });
}

/** The role under the lock: the caller's may have been read before somebody made them an admin. */
const isAdminNow = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom("profiles")
    .select("role")
    .where("user_id", "=", userId)
    .where("role", "=", "admin")
    .executeTakeFirst()) !== undefined;
