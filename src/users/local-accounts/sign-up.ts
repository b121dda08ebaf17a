import { recordActivity } from "#activity/index.ts";
import { json, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { sendConfirmSignUp, sendSignUpKnown } from "../emails.ts";
import { checkPassword } from "../providers/local/passwords.ts";
import { insertAdminRequest, deleteAdminRequest } from "../roles/roles.store.ts";
import { cleanName, grantedRole, passwordLength, passwordMessage, weakPasswordReasons } from "../rules.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import {
  changeUser,
  insertAccount,
  lockUserByEmail,
  changeProfile,
  recordIdleSignUp,
  retryOnDuplicate,
} from "../store.ts";
import { countMessage, countSignup } from "../verification/attempt-limits.ts";
import { withMinimumResponseTime } from "../verification/minimum-response-time.ts";
import { issueCode, clearOtherSignupNonces } from "../verification/one-time-codes.store.ts";
import type { AccountContext } from "./context.ts";
import { cleanMetadata } from "./metadata.ts";

/** Milliseconds. A sign-up takes a multiple of them, which is longer than hashing and writing need. */
const minimumResponseMs = 250;

export type SignUpInput = Readonly<{
  email: string;
  password: string | null | undefined;
  data: Readonly<Record<string, unknown>>;
  nonce: string;
}>;

type NewAccount = Pick<SignUpInput, "email" | "nonce"> & {
  name: string;
  requestedRole: unknown;
  passwordHash: string;
  metadata: Record<string, unknown>;
};

/** Creates an unconfirmed account, or emails the owner of a known address. Result and time are the same. Throws for weak passwords. */
export async function signUp(context: AccountContext, { email, password: given, data, nonce }: SignUpInput) {
  const metadata = cleanMetadata(data);
  const name = cleanName(data["name"]) ?? email;
  const password = await requirePassword(given, [email, name]);
  await countSignup(context);
  await countMessage(context, email);
  return withMinimumResponseTime(context.services, minimumResponseMs, async () => {
    const passwordHash = await context.services.authTiming.hashPassword(password);
    const account = { email, name, requestedRole: data["role"], passwordHash, metadata, nonce };
    await retryOnDuplicate(context.services, (tx) => storeAccount(tx, context, account));
    context.services.wake();
    return { ...metadata, name };
  });
}

/** Throws if a password is missing, too long (400) or too weak (422, with GoTrue's reasons). */
export async function requirePassword(password: string | null | undefined, own: readonly string[]): Promise<string> {
  if (!password) throw new AuthError("validation_failed", "Signup requires a valid password");
  if (password.length > passwordLength.max)
    throw new AuthError("validation_failed", `Password cannot be longer than ${passwordLength.max} characters`);
  const issues = await checkPassword(password, own);
  if (issues.length === 0) return password;
  const message = passwordMessage(issues);
  throw new AuthError("weak_password", message, { weak_password: { reasons: weakPasswordReasons(issues), message } });
}

async function storeAccount(tx: Tx, context: AccountContext, input: NewAccount): Promise<void> {
  const { services, site } = context;
  const { email, name, passwordHash, metadata } = input;
  const known = await lockUserByEmail(tx, email);
  if (known?.email_confirmed_at) {
    await recordIdleSignUp(tx, known.id, passwordHash);
    await sendSignUpKnown(tx, site, email);
    return;
  }
  const { role, requestsAdmin } = grantedRole(input.requestedRole, services.config.demo);
  const now = services.realClock.now();
  const nonceHash = tokenHash(input.nonce);
  const account = { email, name, role, passwordHash, metadata, confirmed: false, createdAt: now };
  const userId = known?.id ?? (await insertAccount(tx, account));
  if (known) {
    await deleteAdminRequest(tx, userId);
    await changeUser(tx, userId, now, { password_hash: passwordHash, user_metadata: json(metadata) });
    await clearOtherSignupNonces(tx, userId, nonceHash);
    await changeProfile(tx, userId, { name, role });
  } else {
    const message = `${name} signed up as ${role}`;
    await recordActivity(tx, { type: "system", refId: userId, message, actorId: userId });
  }
  if (requestsAdmin) await insertAdminRequest(tx, userId, now);
  await broadcastAccountChange(tx, userId);
  const issued = await issueCode(tx, services, { userId, kind: "signup", target: email, nonceHash });
  await sendConfirmSignUp(tx, site, email, issued);
}
