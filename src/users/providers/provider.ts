/** Who keeps passwords, one-time codes and second factors. The rest of the accounts is ours with every provider. */
import type { AccessTokenClaims, AssuranceLevel } from "../sessions/access-tokens.ts";

export type AuthProvider = Readonly<{
  /** "local": this installation. "gotrue-hosted": a GoTrue service at GOTRUE_URL, whose answers are synced into our tables. */
  kind: "local" | "gotrue-hosted";
  /** Whose session a bearer token proves, once its row is in our tables. Throws `bad_jwt` or `session_not_found`. */
  readAccessToken(bearer: string): Promise<AccessTokenClaims>;
  /** The level a request has: what its token claims, checked against the row of its session. */
  assuranceLevel(stored: AssuranceLevel, claimed: AssuranceLevel): AssuranceLevel;
  /** Makes the session's next request ask the provider, whatever it answered a moment ago. */
  invalidateSession(sessionId: string): Promise<void>;
  /** Throws 403 `reauthentication_not_valid` for a wrong password. */
  verifyPassword(who: Readonly<{ userId: string; email: string }>, password: string): Promise<void>;
  /** Uses up a code of GET /auth/v1/reauthenticate. Throws `reauthentication_not_valid`; attempts are counted per `block`. */
  verifyCode(who: Readonly<{ userId: string; sessionId: string }>, block: string, code: string): Promise<void>;
  /** Tries what sign-in stands on and returns what answered, for the admin. Changes nothing; throws what went wrong. */
  test(): Promise<string>;
}>;
