/** Changes of sign-in data. Each is stored with its former value, and all addresses get a link that undoes it for seven days. */
import type { Selectable } from "kysely";
import { type DB, json, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import {
  type Recipients,
  sendIdentityAdded,
  sendEmailChanged,
  sendPasswordChanged,
  sendPhoneChanged,
  sendRecoveryCodesChanged,
  sendRecoveryCodeUsed,
  sendSecondFactorChanged,
} from "../emails.ts";
import { lifetimes } from "../rules.ts";
import { type UserRow, lockUser } from "../store.ts";
import { randomToken, tokenHash } from "../sessions/refresh-tokens.store.ts";

export type AccountChange =
  | { kind: "password" }
  | { kind: "email" }
  | { kind: "phone" }
  | { kind: "factor_added"; factorId: string; isFirst: boolean; passkey: boolean }
  | {
      kind: "factor_removed";
      isLast: boolean;
      factors: readonly Pick<
        Selectable<DB["factors"]>,
        "id" | "kind" | "credential_id" | "friendly_name" | "secret" | "last_step"
      >[];
    }
  | { kind: "recovery_codes"; made: boolean }
  | { kind: "recovery_code_used"; left: number }
  | { kind: "identity_added"; issuer: string; subject: string; label: string };

type Proven = Pick<UserRow, "email" | "phone" | "email_confirmed_at" | "phone_confirmed_at">;

export function recipientsOf(...states: readonly Proven[]): Recipients {
  const emails = states.flatMap(({ email, email_confirmed_at: proven }) => (email && proven ? [email] : []));
  const phones = states.flatMap(({ phone, phone_confirmed_at: proven }) => (phone && proven ? [phone] : []));
  return { emails: [...new Set(emails)], phones: [...new Set(phones)] };
}

const undoLink = (site: string, token: string): string =>
  `${site}${paths.undoChange}?token_hash=${encodeURIComponent(token)}`;

/** Records a change in its transaction and notifies old and new addresses. `before` is the former account. Call it after the change. */
export async function recordAccountChange(
  tx: Tx,
  { services, site }: { services: PlatformServices; site: string },
  before: UserRow,
  change: AccountChange,
): Promise<void> {
  const after = await lockUser(tx, before.id);
  if (!after) return;
  const token = randomToken();
  const now = services.realClock.now();
  const values = {
    user_id: before.id,
    token_hash: tokenHash(token),
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimes.undoLink * 1000),
  };
  await tx
    .insertInto("account_changes")
    .values({ ...values, ...stored(before, change) })
    .execute();
  // An admin may remove several second factors together. The others are stored with the one that has the link.
  if (change.kind === "factor_removed")
    for (const factor of change.factors.slice(1))
      await tx
        .insertInto("account_changes")
        .values({ ...values, token_hash: tokenHash(randomToken()), ...removedFactor(factor) })
        .execute();
  await notify(tx, site, recipientsOf(before, after), change, { link: undoLink(site, token), after });
}

type RemovedFactor = Extract<AccountChange, { kind: "factor_removed" }>["factors"][number];

const removedFactor = ({ id, credential_id, friendly_name, secret, last_step }: RemovedFactor) => ({
  kind: "factor_removed",
  before: json({ factorId: id, name: friendly_name, lastStep: last_step, credentialId: credential_id }),
  factor_secret: secret,
});

function stored(before: UserRow, change: AccountChange) {
  switch (change.kind) {
    case "email":
      return { kind: change.kind, before: json({ email: before.email, confirmedAt: before.email_confirmed_at }) };
    case "phone":
      return { kind: change.kind, before: json({ phone: before.phone, confirmedAt: before.phone_confirmed_at }) };
    case "factor_added":
      return { kind: change.kind, before: json({ factorId: change.factorId }) };
    case "factor_removed": {
      const [first] = change.factors;
      if (!first) throw new Error("a removed authenticator is missing");
      return removedFactor(first);
    }
    case "identity_added":
      return { kind: change.kind, before: json({ issuer: change.issuer, subject: change.subject }) };
    case "recovery_code_used":
      // Undone like a change of the codes: they are removed with the password and the sessions.
      return { kind: "recovery_codes" };
    default:
      return { kind: change.kind };
  }
}

async function notify(
  tx: Tx,
  site: string,
  to: Recipients,
  change: AccountChange,
  { link, after }: { link: string; after: UserRow },
): Promise<void> {
  switch (change.kind) {
    case "password":
      return sendPasswordChanged(tx, to, link);
    case "email":
      return sendEmailChanged(tx, to, link, after.email ?? "");
    case "phone":
      return sendPhoneChanged(tx, to, link, after.phone);
    case "factor_added":
      return sendSecondFactorChanged(tx, to, link, { added: true, only: change.isFirst, passkey: change.passkey });
    case "factor_removed":
      return sendSecondFactorChanged(tx, to, link, {
        added: false,
        only: change.isLast,
        passkey: change.factors.every(({ kind }) => kind === "passkey"),
      });
    case "recovery_codes":
      return sendRecoveryCodesChanged(tx, to, link, change.made);
    case "recovery_code_used":
      return sendRecoveryCodeUsed(tx, to, link, change.left);
    case "identity_added":
      return sendIdentityAdded(tx, to, link, change.label);
  }
}

export const deleteExpiredAccountChanges = (tx: Tx, now: Date) =>
  tx.deleteFrom("account_changes").where("expires_at", "<", now).execute();
