/** The phone number for sign-in. A change needs recent authentication, applies once verified, and can be undone from every address. */

import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import { sendPhoneCode } from "../emails.ts";
import { type UserRow, changeUser, isTaken } from "../store.ts";
import { issueCode, revokeCodes } from "../verification/one-time-codes.store.ts";
import type { AccountContext } from "./context.ts";

type Context = Pick<AccountContext, "services" | "site">;

export async function startPhoneChange(tx: Tx, context: Context, user: UserRow, phone: string): Promise<void> {
  await changeUser(tx, user.id, context.services.realClock.now(), { new_phone: phone });
  const issued = await issueCode(tx, context.services, { userId: user.id, kind: "phone_change", target: phone });
  await sendPhoneCode(tx, phone, issued);
}

export async function cancelPhoneChange(tx: Tx, context: Context, user: UserRow): Promise<void> {
  if (!user.new_phone) return;
  await changeUser(tx, user.id, context.services.realClock.now(), { new_phone: null });
  await revokeCodes(tx, user.id, ["phone_change"]);
}

export async function removePhone(tx: Tx, context: Context, user: UserRow): Promise<void> {
  const none = { phone: null, phone_confirmed_at: null, new_phone: null };
  await changeUser(tx, user.id, context.services.realClock.now(), none);
  await finishChange(tx, context, user, null);
}

export async function confirmPhone(
  tx: Tx,
  context: Context,
  user: UserRow,
  target: string,
): Promise<AuthError | undefined> {
  if (user.new_phone !== target) return new AuthError("otp_expired");
  const now = context.services.realClock.now();
  if (await isTaken(tx, user.id, "phone", target)) {
    await changeUser(tx, user.id, now, { new_phone: null });
    return new AuthError("phone_exists");
  }
  await changeUser(tx, user.id, now, { phone: target, phone_confirmed_at: now, new_phone: null });
  await finishChange(tx, context, user, target);
  return undefined;
}

async function finishChange(tx: Tx, context: Context, before: UserRow, phone: string | null): Promise<void> {
  await revokeCodes(tx, before.id, ["sms", "phone_change"]);
  await recordActivity(tx, {
    type: "system",
    refId: before.id,
    actorId: before.id,
    message: phone ? "A user changed their phone number" : "A user removed their phone number",
  });
  await recordAccountChange(tx, context, before, { kind: "phone" });
}
