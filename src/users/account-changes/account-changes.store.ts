/** Changes of sign-in data. Each is stored with its former value, and all addresses get a link that undoes it for seven days. */

import type { Selectable } from "kysely";
import { type DB, json, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type Recipients, sendToAll, supportEmail } from "../emails.ts";
import { lifetimes } from "../rules.ts";
import { randomToken, tokenHash } from "../sessions/refresh-tokens.store.ts";
import { type UserRow, requireUser } from "../store.ts";

type AccountChange =
  | { kind: "password" }
  | { kind: "email" }
  | { kind: "phone" }
  | { kind: "factor_added"; factorId: string; isFirst: boolean; passkey: boolean }
  | {
      kind: "factor_removed";
      isLast: boolean;
      byAdmin?: boolean;
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
  const after = await requireUser(tx, before.id);
  const token = randomToken();
  const now = services.realClock.now();
  const values = {
    user_id: before.id,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimes.undoLink * 1000),
  };
  // An admin may remove several second factors together. The first one has the link, which undoes the later ones too.
  const rows = change.kind === "factor_removed" ? change.factors.map(removedFactor) : [stored(before, change)];
  await tx
    .insertInto("account_changes")
    .values(rows.map((row, at) => ({ ...values, ...row, token_hash: tokenHash(at === 0 ? token : randomToken()) })))
    .execute();
  await notify(tx, recipientsOf(before, after), change, { link: undoLink(site, token), after });
}

type RemovedFactors = Extract<AccountChange, { kind: "factor_removed" }>;

const removedFactor = ({ id, credential_id, friendly_name, secret, last_step }: RemovedFactors["factors"][number]) => ({
  kind: "factor_removed" as const,
  before: json({ factorId: id, name: friendly_name, lastStep: last_step, credentialId: credential_id }),
  factor_secret: secret,
});

function stored(before: UserRow, change: Exclude<AccountChange, RemovedFactors>) {
  switch (change.kind) {
    case "email":
      return { kind: change.kind, before: json({ email: before.email, confirmedAt: before.email_confirmed_at }) };
    case "phone":
      return { kind: change.kind, before: json({ phone: before.phone, confirmedAt: before.phone_confirmed_at }) };
    case "factor_added":
      return { kind: change.kind, before: json({ factorId: change.factorId }) };
    case "identity_added":
      return { kind: change.kind, before: json({ issuer: change.issuer, subject: change.subject }) };
    case "recovery_code_used":
      // Undone like a change of the codes: they are removed with the password and the sessions.
      return { kind: "recovery_codes" as const };
    default:
      return { kind: change.kind };
  }
}

async function notify(
  tx: Tx,
  to: Recipients,
  change: AccountChange,
  { link, after }: { link: string; after: UserRow },
): Promise<void> {
  switch (change.kind) {
    case "password":
      return sendToAll(tx, to, "password_changed", { link });
    case "email":
      return sendToAll(tx, to, "email_changed", {
        link,
        newEmail: after.email ?? "",
        supportEmail: await supportEmail(tx),
      });
    case "phone":
      return sendToAll(tx, to, "phone_changed", {
        link,
        ending: after.phone?.slice(-3) ?? null,
        supportEmail: await supportEmail(tx),
      });
    case "factor_added":
      return sendToAll(tx, to, "second_factor_changed", {
        link,
        added: true,
        only: change.isFirst,
        passkey: change.passkey,
      });
    case "factor_removed":
      return sendToAll(tx, to, "second_factor_changed", {
        link,
        added: false,
        only: change.isLast,
        byAdmin: change.byAdmin ?? false,
        passkey: change.factors.every(({ kind }) => kind === "passkey"),
      });
    case "recovery_codes":
      return sendToAll(tx, to, "recovery_codes_changed", { link, made: change.made });
    case "recovery_code_used":
      return sendToAll(tx, to, "recovery_code_used", { link, left: change.left });
    case "identity_added":
      return sendToAll(tx, to, "identity_added", { link, label: change.label });
  }
}
