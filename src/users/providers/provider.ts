import type { AccessTokenClaims, AssuranceLevel } from "../sessions/access-tokens.ts";

export type AuthProvider = Readonly<{
  /** "local": this installation. "gotrue-hosted": a GoTrue service at GOTRUE_URL, whose users are synced into our tables. */
  kind: "local" | "gotrue-hosted";
  /** Returns the session of a bearer token, once its row is in our tables. Throws `bad_jwt` or `session_not_found`. */
  readAccessToken(bearer: string): Promise<AccessTokenClaims>;
  /** Returns the level of a request: the token's claim, checked against the row of its session. */
  assuranceLevel(stored: AssuranceLevel, claimed: AssuranceLevel): AssuranceLevel;
  /** Makes the session's next request query the provider, without a cached response. */
  invalidateSession(sessionId: string): Promise<void>;
  /** Throws 403 `reauthentication_not_valid` for a wrong password. */
  verifyPassword(who: Readonly<{ userId: string; email: string }>, password: string): Promise<void>;
  /** Consumes a code of GET /auth/v1/reauthenticate. Throws `reauthentication_not_valid`. Attempts are counted per `block`. */
  verifyCode(who: Readonly<{ userId: string; sessionId: string }>, block: string, code: string): Promise<void>;
  /** Tests the parts that sign-in depends on. Returns a message for the admin. Changes nothing and throws the cause of a failure. */
  test(): Promise<string>;
}>;
