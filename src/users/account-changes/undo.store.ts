import { z } from "zod";
import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { sendAccountChangeUndone } from "../emails.ts";
import { refuseIdentity } from "../identities/identities.store.ts";
import { deleteUnverifiedFactors } from "../mfa/factors.store.ts";
import { deleteRecoveryCodes } from "../mfa/recovery-codes.store.ts";
import { notifyAdmins } from "../roles/admin-requests.ts";
import {
  type AccessChanged,
  type ChangeKind,
  changeKinds,
  type EmailVerified,
  permanentSuspensionEnd,
  unusedName,
} from "../rules.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { type UserRow, changeProfile, changeUser, isTaken, lockUser, requireUser } from "../store.ts";
import { codeKinds, revokeCodes } from "../verification/one-time-codes.store.ts";
import { recipientsOf } from "./account-changes.store.ts";

export type Undone = {
  undone: ChangeKind[];
  /** True if another account has the former address. The account is suspended for manual review. */
  needsAdmin: boolean;
};

/** Undoes the change of a link and every later one, newest first, because an attacker may have made those. All sessions end, password and codes are void, and only the former mailbox or number can sign in. Throws a conflict (409) `link_ended` for an unknown or used link, and after seven days. */
export async function undoChange(
  tx: Tx,
  { services, site }: { services: PlatformServices; site: string },
  token: string,
): Promise<Undone> {
  const now = services.realClock.now();
  const found = await tx
    .selectFrom("account_changes")
    .select(["user_id", "seq"])
    .where("token_hash", "=", tokenHash(token))
    .executeTakeFirst();
  const user = found && (await lockUser(tx, found.user_id));
  if (!found || !user) throw linkEnded();
  const changes = await tx
    .selectFrom("account_changes")
    .selectAll()
    .where("user_id", "=", user.id)
    .where("seq", ">=", found.seq)
    .where("undone_at", "is", null)
    .orderBy("seq", "desc")
    .forUpdate()
    .execute();
  const named = changes.find(({ seq }) => seq === found.seq);
  if (!named || named.expires_at <= now) throw linkEnded();
  await deleteUnverifiedFactors(tx, user.id);
  let isAddressTaken = false;
  for (const change of changes) if (!(await undoOne(tx, services, user, change))) isAddressTaken = true;
  await lockOut(tx, services, user, { since: named.created_at, suspend: isAddressTaken });
  await tx
    .updateTable("account_changes")
    .set({ undone_at: now })
    .where(
      "id",
      "in",
      changes.map(({ id }) => id),
    )
    .execute();
  const undone = [...new Set(changes.map(({ kind }) => kindOf(kind)))].reverse();
  const after = await requireUser(tx, user.id);
  await recordActivity(tx, {
    type: "system",
    refId: user.id,
    message: "A user reported changes of their account as not made by them. The changes were undone",
    meta: { undone },
  });
  await sendAccountChangeUndone(tx, site, recipientsOf(user, after), { undone, needsAdmin: isAddressTaken });
  if (isAddressTaken)
    await notifyAdmins(
      tx,
      services,
      `account-change ${named.id}`,
      `A user undid a change of their account (${user.email ?? "no address"}), but another account now uses the former address. The account is suspended until you have reviewed it.`,
      true,
    );
  await broadcastAccountChange(tx, user.id);
  return { undone, needsAdmin: isAddressTaken };
}

const linkEnded = () =>
  conflict("This link was already used, or its seven days are over. Nothing was changed.", { code: "link_ended" });

const kindOf = (kind: string): ChangeKind => {
  const known = changeKinds.find((one) => one === kind);
  if (!known) throw new Error(`an account change has the unknown kind ${kind}`);
  return known;
};

type Row = { kind: string; before: unknown; factor_secret: string | null; created_at: Date };
const time = z.coerce.date().nullable();
const emailShape = z.object({ email: z.string().nullable(), confirmedAt: time });
const phoneShape = z.object({ phone: z.string().nullable(), confirmedAt: time });
const addedShape = z.object({ factorId: z.uuid() });
const identityShape = z.object({ issuer: z.string(), subject: z.string() });
const removedShape = addedShape.extend({
  name: z.string(),
  lastStep: z.coerce.number(),
  credentialId: z.string().nullish(),
});

/** Restores the former value of a change. Returns false if another account has the former address. */
async function undoOne(tx: Tx, services: PlatformServices, user: UserRow, change: Row): Promise<boolean> {
  const now = services.realClock.now();
  switch (kindOf(change.kind)) {
    case "email":
      return restoreEmail(tx, user, emailShape.parse(change.before), now);
    case "phone":
      await restorePhone(tx, user, phoneShape.parse(change.before), now);
      return true;
    case "factor_added":
      await tx
        .deleteFrom("factors")
        .where("id", "=", addedShape.parse(change.before).factorId)
        .where("user_id", "=", user.id)
        .execute();
      return true;
    case "factor_removed":
      await restoreFactor(tx, user, removedShape.parse(change.before), change);
      return true;
    case "recovery_codes":
      await deleteRecoveryCodes(tx, user.id);
      return true;
    case "identity_added":
      await refuseIdentity(tx, user.id, identityShape.parse(change.before), now);
      return true;
    case "password":
      return true;
  }
}

async function restoreEmail(tx: Tx, user: UserRow, before: z.infer<typeof emailShape>, now: Date): Promise<boolean> {
  if (before.email && (await isTaken(tx, user.id, "email", before.email.toLowerCase()))) return false;
  await changeUser(tx, user.id, now, { email: before.email, email_confirmed_at: before.confirmedAt });
  if (!before.email) return true;
  await changeProfile(tx, user.id, { email: before.email });
  const restored: EmailVerified = { userId: user.id, email: before.email, ...(user.email && { former: user.email }) };
  if (before.confirmedAt) await publish(tx, "user.email_verified", restored);
  return true;
}

async function restorePhone(tx: Tx, user: UserRow, before: z.infer<typeof phoneShape>, now: Date): Promise<void> {
  const isFree = !before.phone || !(await isTaken(tx, user.id, "phone", before.phone));
  const former = isFree ? before : { phone: null, confirmedAt: null };
  await changeUser(tx, user.id, now, { phone: former.phone, phone_confirmed_at: former.confirmedAt });
}

async function restoreFactor(tx: Tx, user: UserRow, before: z.infer<typeof removedShape>, change: Row): Promise<void> {
  if (!change.factor_secret) throw new Error("the secret of a removed authenticator is missing");
  const others = await tx.selectFrom("factors").select("friendly_name").where("user_id", "=", user.id).execute();
  const usedNames = others.map((one) => one.friendly_name);
  await tx
    .insertInto("factors")
    .values({
      id: before.factorId,
      user_id: user.id,
      friendly_name: before.name && unusedName(before.name, usedNames),
      status: "verified",
      secret: change.factor_secret,
      last_step: before.lastStep,
      ...(before.credentialId ? { kind: "passkey", credential_id: before.credentialId } : {}),
      created_at: change.created_at,
      updated_at: change.created_at,
    })
    .onConflict((on) => on.doNothing())
    .execute();
}

async function lockOut(
  tx: Tx,
  services: PlatformServices,
  user: UserRow,
  { since, suspend }: { since: Date; suspend: boolean },
): Promise<void> {
  const now = services.realClock.now();
  await changeUser(tx, user.id, now, {
    password_hash: null,
    password_changed_at: now,
    new_email: null,
    new_phone: null,
    email_change_old_ok: false,
    email_change_new_ok: false,
    ...(suspend
      ? {
          banned_until: permanentSuspensionEnd,
          suspended_reason: "A change of address was reported and could not be undone",
        }
      : {}),
  });
  if (suspend)
    await publish(tx, "user.access_changed", { userId: user.id, cause: "suspended" } satisfies AccessChanged);
  await revokeCodes(tx, user.id, codeKinds);
  const factor = await tx
    .selectFrom("factors")
    .select("id")
    .where("user_id", "=", user.id)
    .where("status", "=", "verified")
    .executeTakeFirst();
  if (!factor) await deleteRecoveryCodes(tx, user.id);
  await tx.deleteFrom("known_networks").where("user_id", "=", user.id).where("last_used_at", ">=", since).execute();
  await endSessions(tx, user.id, "global");
}
