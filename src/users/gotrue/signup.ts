/** Making an account. A known address gets the same answer, in the same time, and a mail of its own. */
import { z } from "zod";
import { record } from "#activity/index.ts";
import { json, sqlState, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import { sendConfirmSignUp, sendSignUpKnown } from "../emails.ts";
import { hashPassword, checkPassword } from "../providers/local/passwords.ts";
import { cleanName, grantedRole, lifetimes, passwordLength, passwordMessage, weakPasswordReasons } from "../rules.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { changeUser, insertAccount, lockUserByEmail, changeProfile, noteIdleSignUp } from "../store.ts";
import { issueCode, clearOtherSignupNonces } from "../verification/one-time-codes.store.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { insertAdminRequest, deleteAdminRequest } from "../roles/roles.store.ts";
import { type AuthCall, readBody, requireEmail } from "./call.ts";
import { setSignupNonce } from "./cookies.ts";
import { countMessage, countSignup } from "../verification/attempt-limits.ts";
import { cleanMetadata } from "./metadata.ts";
import { presentSignup } from "./present.ts";
import { withMinimumResponseTime } from "./minimum-response-time.ts";

const shape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});

/** Milliseconds whose multiples a sign-up takes; above what hashing and writing need. */
const minimumResponseMs = 250;

type Input = {
  email: string;
  name: string;
  requestedRole: unknown;
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  nonce: string;
};

/** POST /signup */
export async function signUp(call: AuthCall) {
  const body = readBody(call, shape);
  if (!body.email) throw new AuthError(body.phone ? "phone_provider_disabled" : "anonymous_provider_disabled");
  const email = requireEmail(body.email);
  const data = body.data ?? {};
  const metadata = cleanMetadata(data);
  const name = cleanName(data["name"]) ?? email;
  const password = await requirePassword(body.password, [email, name]);
  await countSignup(call);
  await countMessage(call, email);
  const nonce = setSignupNonce(call);
  return withMinimumResponseTime(call.services, minimumResponseMs, async () => {
    const passwordHash = await hashPassword(call.services, password);
    await enrol(call, { email, name, requestedRole: data["role"], passwordHash, metadata, nonce });
    return presentSignup(call, email, { ...metadata, name });
  });
}

/** Refuses a password that is missing, too long (400) or too weak (422, with GoTrue's reasons). */
export async function requirePassword(password: string | null | undefined, own: readonly string[]): Promise<string> {
  if (!password) throw new AuthError("validation_failed", "Signup requires a valid password");
  if (password.length > passwordLength.max)
    throw new AuthError("validation_failed", `Password cannot be longer than ${passwordLength.max} characters`);
  const issues = await checkPassword(password, own);
  if (issues.length === 0) return password;
  const message = passwordMessage(issues);
  throw new AuthError("weak_password", message, { weak_password: { reasons: weakPasswordReasons(issues), message } });
}

/** Two sign-ups of one new address at the same moment: the second one waits, fails on the index and is read again as known. */
async function enrol(call: AuthCall, input: Input): Promise<void> {
  const once = () => call.services.database.transaction((tx) => enrolOnce(tx, call, input));
  try {
    await once();
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    await once();
  }
  call.services.wake();
}

async function enrolOnce(tx: Tx, call: AuthCall, input: Input): Promise<void> {
  const { services, site } = call;
  const known = await lockUserByEmail(tx, input.email);
  if (known?.email_confirmed_at) {
    await noteIdleSignUp(tx, known.id, input.passwordHash);
    await sendSignUpKnown(tx, site, input.email);
    return;
  }
  const { role, asksForAdmin } = grantedRole(input.requestedRole, services.config.demo);
  const now = services.clock.now();
  const nonceHash = tokenHash(input.nonce);
  const account = {
    email: input.email,
    name: input.name,
    role,
    passwordHash: input.passwordHash,
    metadata: input.metadata,
  };
  const userId = known?.id ?? (await insertAccount(tx, { ...account, confirmed: false, createdAt: now }));
  if (known) {
    await deleteAdminRequest(tx, userId);
    await changeUser(tx, userId, now, { password_hash: input.passwordHash, user_metadata: json(input.metadata) });
    await clearOtherSignupNonces(tx, userId, nonceHash);
    await changeProfile(tx, userId, { name: input.name, role });
  } else {
    await record(tx, { type: "system", refId: userId, message: `${input.name} signed up as ${role}`, actorId: userId });
  }
  if (asksForAdmin) await insertAdminRequest(tx, userId, now);
  await broadcastAccountChange(tx, userId);
  const issued = await issueCode(tx, services, {
    userId,
    kind: "signup",
    target: input.email,
    seconds: lifetimes.signupLink,
    nonceHash,
  });
  await sendConfirmSignUp(tx, site, input.email, issued);
}
