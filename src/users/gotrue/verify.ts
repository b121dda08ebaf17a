/** Proving an address with a link's token or a typed code. */
import { z } from "zod";
import { timingSafeEqual } from "node:crypto";
import { publish } from "#platform/event-outbox.ts";
import type { Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { deleteAdminRequest } from "../roles/roles.store.ts";
import { type EmailVerified, lifetimes } from "../rules.ts";
import { type OpenSession, type AmrMethod, endSessions } from "../sessions/sessions.store.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { type UserRow, changeUser, lockUser, changeProfile } from "../store.ts";
import {
  type CodeKind,
  type OneTimeToken,
  consumeCode,
  consumeLinkToken,
  revokeCodes,
} from "../verification/one-time-codes.store.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { type AuthCall, readBody, requireEmail, requirePhone } from "./call.ts";
import { readSignupNonce } from "./cookies.ts";
import { countCode } from "../verification/attempt-limits.ts";
import { confirmPhone } from "./phone.ts";
import { replaceSession } from "./replace-session.ts";
import { presentSession } from "./present.ts";
import { failWithMinimumResponseTime } from "./minimum-response-time.ts";

/** The protocol's verification types, and the kinds of tokens each accepts. */
const kindsOf = {
  signup: ["signup"],
  email: ["magiclink", "signup"],
  magiclink: ["magiclink"],
  recovery: ["recovery"],
  email_change: ["email_change_new", "email_change_old"],
  sms: ["sms"],
  phone_change: ["phone_change"],
} as const satisfies Record<string, readonly CodeKind[]>;
type ProofType = keyof typeof kindsOf;

const shape = z.object({
  type: z.string(),
  token_hash: z.string().max(400).nullish(),
  token: z.string().max(400).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});

type Taken = { token: OneTimeToken; typed: boolean };
/** How the token is used up, and what a success takes back of the count of tries. */
type Taker = { take(tx: Tx): Promise<Taken | undefined>; succeeded(): Promise<void> };
type Verified = { session: OpenSession } | { half: true };

/** Milliseconds whose multiples an error response takes: a wrong code costs a write only where one is awaited. */
const minimumResponseMs = 100;

/** POST /verify: a session, or for the first half of a change of address a message. */
export async function verify(call: AuthCall) {
  const body = readBody(call, shape);
  // Nobody is invited here, so no invitation is ever valid.
  if (body.type === "invite") throw new AuthError("otp_expired");
  if (!Object.hasOwn(kindsOf, body.type))
    throw new AuthError("validation_failed", "Verify requires a verification type");
  const type = body.type as ProofType;
  const { take, succeeded } = await taker(call, type, body);
  const verified = await failWithMinimumResponseTime(call.services, minimumResponseMs, async () => {
    const found = await call.services.database.transaction(async (tx): Promise<Verified | AuthError> => {
      const taken = await take(tx);
      return taken ? accept(tx, call, taken) : new AuthError("otp_expired");
    });
    if (found instanceof AuthError) throw found;
    return found;
  });
  await succeeded();
  call.services.wake();
  if ("session" in verified) return presentSession(call, verified.session);
  return { code: 200, msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email" };
}

async function taker(call: AuthCall, type: ProofType, body: z.infer<typeof shape>): Promise<Taker> {
  const { services } = call;
  const { token_hash: link, token: code } = body;
  if (link) {
    const take = async (tx: Tx) => {
      const token = await consumeLinkToken(tx, services, kindsOf[type], link);
      return token && { token, typed: false };
    };
    return { take, succeeded: async () => undefined };
  }
  if (!code || (!body.email && !body.phone))
    throw new AuthError("validation_failed", "Only an email address or phone number should be provided on verify");
  const target = body.email ? requireEmail(body.email) : requirePhone(body.phone);
  const { succeeded } = await countCode(call, target);
  const take = async (tx: Tx) => {
    const token = await consumeCode(tx, services, { kinds: kindsOf[type], target, code, codeSeconds: lifetimes.code });
    return token && { token, typed: true };
  };
  return { take, succeeded };
}

/** What a used token brings about. Failures are returned: the token stays used up. */
async function accept(tx: Tx, call: AuthCall, taken: Taken): Promise<Verified | AuthError> {
  const { token } = taken;
  const user = await lockUser(tx, token.userId);
  if (!user) return new AuthError("otp_expired");
  if (user.banned_until && user.banned_until > call.services.clock.now()) return new AuthError("user_banned");
  switch (token.kind) {
    case "email_change_old":
    case "email_change_new":
      return changeEmail(tx, call, user, token);
    case "phone_change":
      return changePhone(tx, call, user, token);
    case "reauthentication":
      return new AuthError("otp_expired");
    case "sms":
      return user.phone === token.target
        ? { session: await open(tx, call, user, "otp") }
        : new AuthError("otp_expired");
    default:
      return proveMailbox(tx, call, user, taken);
  }
}

const methods = { signup: "email/signup", magiclink: "magiclink", recovery: "recovery" } as const;

/**
 * The mailbox is proven. When this is its first proof and it does not come by the link in the browser that signed up, whoever
 * chose the password may be a stranger: password and sessions go (design, section 12). From another browser the request to be an
 * admin goes as well.
 */
async function proveMailbox(
  tx: Tx,
  call: AuthCall,
  user: UserRow,
  { token, typed }: Taken,
): Promise<Verified | AuthError> {
  if (user.email?.toLowerCase() !== token.target) return new AuthError("otp_expired");
  const now = call.services.clock.now();
  if (!user.email_confirmed_at) {
    const bySameBrowser = token.kind === "signup" && !typed && marked(call, token);
    await changeUser(tx, user.id, now, { email_confirmed_at: now, ...(bySameBrowser ? {} : { password_hash: null }) });
    if (!bySameBrowser) await endSessions(tx, user.id, "global", null);
    if (!marked(call, token)) await deleteAdminRequest(tx, user.id);
    await revokeCodes(tx, user.id, ["signup"]);
    await broadcastAccountChange(tx, user.id);
    await publish(tx, "user.email_verified", { userId: user.id, email: token.target } satisfies EmailVerified);
  }
  const method =
    token.kind === "signup" || token.kind === "magiclink" || token.kind === "recovery" ? methods[token.kind] : "otp";
  return { session: await open(tx, call, user, method) };
}

function marked(call: AuthCall, token: OneTimeToken): boolean {
  const mark = readSignupNonce(call);
  return mark !== undefined && token.nonceHash !== null && timingSafeEqual(tokenHash(mark), token.nonceHash);
}

const open = (tx: Tx, call: AuthCall, user: UserRow, method: AmrMethod) => replaceSession(tx, call, user.id, method);

/** The new number is proven. Every session ends but the one that is opened here. */
async function changePhone(tx: Tx, call: AuthCall, user: UserRow, token: OneTimeToken): Promise<Verified | AuthError> {
  const refused = await confirmPhone(tx, call, user, token.target);
  if (refused) return refused;
  await endSessions(tx, user.id, "global", null);
  return { session: await open(tx, call, user, "otp") };
}

/** Both mailboxes must agree; the second one's word makes the change. Both are notified, and every other session ends. */
async function changeEmail(tx: Tx, call: AuthCall, user: UserRow, token: OneTimeToken): Promise<Verified | AuthError> {
  const wanted = user.new_email;
  const isOld = token.kind === "email_change_old";
  if (!wanted || token.target !== (isOld ? user.email?.toLowerCase() : wanted)) return new AuthError("otp_expired");
  const now = call.services.clock.now();
  const oldAgrees = isOld || user.email_change_old_ok || !user.email_confirmed_at;
  const newAgrees = !isOld || user.email_change_new_ok;
  if (!oldAgrees || !newAgrees) {
    await changeUser(tx, user.id, now, { email_change_old_ok: oldAgrees, email_change_new_ok: newAgrees });
    return { half: true };
  }
  const nobodyYet = {
    idle_sign_up_hash: null,
    new_email: null,
    email_change_old_ok: false,
    email_change_new_ok: false,
  };
  await revokeCodes(tx, user.id, ["email_change_old", "email_change_new", "recovery", "magiclink", "signup"]);
  const taken = await tx
    .selectFrom("users")
    .select("id")
    .where((where) => where(where.fn<string>("lower", ["email"]), "=", wanted))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (taken) {
    await changeUser(tx, user.id, now, nobodyYet);
    return new AuthError("email_exists");
  }
  await changeUser(tx, user.id, now, { ...nobodyYet, email: wanted, email_confirmed_at: now });
  await changeProfile(tx, user.id, { email: wanted });
  await recordAccountChange(tx, call, user, { kind: "email" });
  await endSessions(tx, user.id, "global", null);
  await broadcastAccountChange(tx, user.id);
  await publish(tx, "user.email_verified", { userId: user.id, email: wanted } satisfies EmailVerified);
  return { session: await open(tx, call, user, "email_change") };
}
