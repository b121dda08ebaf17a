import { AuthError } from "../auth-errors.ts";
import { passwordMatches } from "../providers/local/passwords.ts";
import { passwordLength } from "../rules.ts";
import type { OpenSession } from "../sessions/sessions.store.ts";
import { isSuspended, lowerEmail } from "../store.ts";
import { countOpenedSession, countSignInAttempt } from "../verification/attempt-limits.ts";
import { failWithMinimumResponseTime } from "../verification/minimum-response-time.ts";
import type { AccountContext } from "./context.ts";
import { replaceSession } from "./replace-session.ts";

/** Milliseconds. A refused password takes a multiple of them. */
const minimumResponseMs = 100;

export type SignInName = Readonly<{ column: "email" | "phone"; value: string }>;

/** Opens a session for the right password. A wrong password and an unknown account take the same time. Attempts are counted first. */
export const signInWithPassword = (context: AccountContext, name: SignInName, password: string): Promise<OpenSession> =>
  failWithMinimumResponseTime(context.services, minimumResponseMs, () => openByPassword(context, name, password));

async function openByPassword(context: AccountContext, typed: SignInName, given: string): Promise<OpenSession> {
  const { services } = context;
  const { db, transaction } = services.database;
  const user = await db
    .selectFrom("users")
    .select(["id", "password_hash", "idle_sign_up_hash", "email_confirmed_at", "phone_confirmed_at", "banned_until"])
    .where(typed.column === "email" ? lowerEmail : "phone", "=", typed.value)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const attempt = await countSignInAttempt(context, typed);
  const password = given.slice(0, passwordLength.max + 1);
  const isRight = await passwordMatches(services, user?.password_hash, password);
  const isProven = Boolean(typed.column === "email" ? user?.email_confirmed_at : user?.phone_confirmed_at);
  if (!isRight || !isProven || !user) {
    // Always makes the second comparison and never resets the count: neither time nor limits reveal the account.
    const signedUpIdly = await passwordMatches(
      services,
      typed.column === "email" ? user?.idle_sign_up_hash : null,
      password,
    );
    if (!isRight && !signedUpIdly) throw new AuthError("invalid_credentials");
    throw new AuthError(typed.column === "email" ? "email_not_confirmed" : "phone_not_confirmed");
  }
  await attempt.succeeded();
  if (isSuspended(user, services.realClock.now())) throw new AuthError("user_banned");
  await countOpenedSession(context, user.id);
  return transaction(async (tx) => {
    const { password_hash } = await tx
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", user.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (password_hash !== user.password_hash) throw new AuthError("invalid_credentials");
    return replaceSession(tx, context, user.id, "password");
  });
}
