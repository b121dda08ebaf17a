/** The account's own view and its changes: name and data, password, e-mail, phone. */
import { z } from "zod";
import { json, type Tx } from "#platform/db/index.ts";
import { AuthFailure } from "../failures.ts";
import { sendEmailChangeNew, sendEmailChangeOld, sendPasswordChanged, sendPhoneCode } from "../letters.ts";
import { hashPassword, passwordMatches } from "../passwords.ts";
import { cleanName, lifetimes } from "../rules.ts";
import { endSessions } from "../sessions.ts";
import { signalPerson } from "../signals.ts";
import type { Standing } from "../standing.ts";
import { type UserRow, changeUser, lockUser } from "../store.ts";
import { issueCode, takeByCode, voidCodes } from "../tokens/codes.ts";
import { type AuthCall, readBody, requireCaller, requireEmail, requirePhone, requireStrongCaller } from "./call.ts";
import { countCode, countMessage } from "./limits.ts";
import { mergedMetadata } from "./metadata.ts";
import { presentUser } from "./present.ts";
import { requirePassword } from "./signup.ts";

/** GET /user */
export async function readUser(call: AuthCall) {
  const { userId } = await requireCaller(call);
  return presentUser(call.services.database.db, userId);
}

const shape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  nonce: z.string().max(20).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
type Change = z.infer<typeof shape>;
const metadataShape = z.record(z.string(), z.unknown()).catch({});

/** PUT /user: all of the changes, or none. */
export async function updateUser(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const body = readBody(call, shape);
  const email = body.email ? requireEmail(body.email) : undefined;
  const phone = body.phone ? requirePhone(body.phone) : undefined;
  if (email) await countMessage(call, email);
  if (phone) await countMessage(call, phone);
  const password = await newPassword(call, caller, body);
  await call.services.database.transaction(async (tx) => {
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AuthFailure("user_not_found");
    if (body.data) await changeData(tx, call, user, body.data);
    if (password) await changePassword(tx, call, caller, user, password);
    if (email && email !== user.email) await startEmailChange(tx, call, user, email);
    if (phone && phone !== user.phone) await startPhoneChange(tx, call, user, phone);
  });
  call.services.nudge();
  return presentUser(call.services.database.db, caller.userId);
}

async function changeData(tx: Tx, call: AuthCall, user: UserRow, data: Record<string, unknown>): Promise<void> {
  const metadata = mergedMetadata(metadataShape.parse(user.user_metadata), data);
  await changeUser(tx, user.id, call.services.clock.now(), { user_metadata: json(metadata) });
  const name = cleanName(data["name"]);
  if (!name) return;
  await tx.updateTable("profiles").set({ name }).where("user_id", "=", user.id).execute();
  await signalPerson(tx, user.id);
}

type NewPassword = { hash: string; hadHash: string | null };

/** Judges and hashes a new password before anything is locked. */
async function newPassword(call: AuthCall, caller: Standing, body: Change): Promise<NewPassword | undefined> {
  if (body.password === undefined || body.password === null) return undefined;
  const password = requirePassword(body.password, [caller.email, caller.name]);
  const { password_hash: hadHash } = await call.services.database.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", caller.userId)
    .executeTakeFirstOrThrow();
  await requireFreshProof(call, caller, body.nonce);
  if (hadHash && (await passwordMatches(hadHash, password))) throw new AuthFailure("same_password");
  return { hash: await hashPassword(password), hadHash };
}

/** A session older than a day proves the person again, by the code of GET /reauthenticate. A code that is given is always checked. */
async function requireFreshProof(call: AuthCall, caller: Standing, nonce: string | null | undefined): Promise<void> {
  const age = call.services.clock.now().getTime() - caller.sessionCreatedAt.getTime();
  if (!nonce && age <= lifetimes.freshSession * 1000) return;
  if (!nonce) throw new AuthFailure("reauthentication_needed");
  await proveAgain(call, caller, nonce);
}

/** Uses up a code of GET /reauthenticate; throws reauthentication_not_valid for a wrong one. */
export async function proveAgain(
  call: Pick<AuthCall, "services" | "block">,
  caller: { userId: string },
  code: string,
): Promise<void> {
  const tried = await countCode(call, caller.userId);
  const wanted = {
    kinds: ["reauthentication"] as const,
    target: caller.userId,
    code,
    userId: caller.userId,
    codeSeconds: lifetimes.code,
  };
  const taken = await call.services.database.transaction((tx) => takeByCode(tx, call.services, wanted));
  if (!taken) throw new AuthFailure("reauthentication_not_valid");
  await tried.succeeded();
}

/** Every other session ends, and what was sent to reset the old password is void. */
async function changePassword(
  tx: Tx,
  call: AuthCall,
  caller: Standing,
  user: UserRow,
  password: NewPassword,
): Promise<void> {
  if (user.password_hash !== password.hadHash)
    throw new AuthFailure("same_password", "The password was changed elsewhere a moment ago.");
  const now = call.services.clock.now();
  await changeUser(tx, user.id, now, { password_hash: password.hash, password_changed_at: now });
  await endSessions(tx, user.id, "others", caller.sessionId);
  await voidCodes(tx, user.id, ["recovery", "magiclink", "sms"]);
  if (user.email && user.email_confirmed_at) await sendPasswordChanged(tx, call.site, user.email);
}

async function startEmailChange(tx: Tx, call: AuthCall, user: UserRow, email: string): Promise<void> {
  const { services, site } = call;
  // What agrees to another address must not agree to this one.
  if (email !== user.new_email) await voidCodes(tx, user.id, ["email_change_old", "email_change_new"]);
  await changeUser(tx, user.id, services.clock.now(), {
    new_email: email,
    email_change_old_ok: false,
    email_change_new_ok: false,
  });
  const seconds = lifetimes.emailChangeLink;
  const known = await tx
    .selectFrom("users")
    .select("id")
    .where((where) => where(where.fn<string>("lower", ["email"]), "=", email))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!known)
    await sendEmailChangeNew(
      tx,
      site,
      email,
      await issueCode(tx, services, { userId: user.id, kind: "email_change_new", target: email, seconds }),
    );
  if (user.email && user.email_confirmed_at) {
    await sendEmailChangeOld(
      tx,
      site,
      user.email,
      await issueCode(tx, services, { userId: user.id, kind: "email_change_old", target: user.email, seconds }),
      email,
    );
  }
}

async function startPhoneChange(tx: Tx, call: AuthCall, user: UserRow, phone: string): Promise<void> {
  await changeUser(tx, user.id, call.services.clock.now(), { new_phone: phone });
  await sendPhoneCode(
    tx,
    phone,
    await issueCode(tx, call.services, {
      userId: user.id,
      kind: "phone_change",
      target: phone,
      seconds: lifetimes.code,
    }),
  );
}
