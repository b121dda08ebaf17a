import { randomUUID } from "node:crypto";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../../auth-errors.ts";
import { readAccessToken, signAccessToken } from "../../sessions/access-tokens.ts";
import { countCode } from "../../verification/attempt-limits.ts";
import { consumeCode } from "../../verification/one-time-codes.store.ts";
import type { AuthProvider } from "../provider.ts";
import { passwordMatches } from "./passwords.ts";

export const localProvider = (services: PlatformServices): AuthProvider => ({
  kind: "local",
  readAccessToken: (bearer) => readAccessToken(services, bearer),
  // A token from before a change of the session's level has only the first level.
  assuranceLevel: (stored, claimed) => (stored === claimed ? stored : "aal1"),
  invalidateSession: async () => undefined,
  verifyPassword: async ({ userId }, password) => {
    const { db } = services.database;
    const user = await db.selectFrom("users").select("password_hash").where("id", "=", userId).executeTakeFirst();
    if (await passwordMatches(services, user?.password_hash, password)) return;
    throw new Problem("forbidden", "The password is wrong.", { code: "reauthentication_not_valid" });
  },
  // The code belongs to the session that requested it.
  verifyCode: async ({ userId, sessionId }, block, code) => {
    const attempt = await countCode({ services, block }, userId);
    const wanted = { kinds: ["reauthentication"], target: sessionId, code, userId } as const;
    const consumed = await services.database.transaction((tx) => consumeCode(tx, services, wanted));
    if (!consumed) throw new AuthError("reauthentication_not_valid");
    await attempt.succeeded();
  },
  test: async () => {
    const claims = { userId: randomUUID(), sessionId: randomUUID(), aal: "aal1" } as const;
    const { token } = await signAccessToken(services, { ...claims, amr: [] });
    const read = await readAccessToken(services, token);
    if (read.userId !== claims.userId) throw new Error("a token was read as another user's");
    return "A token was signed and read back.";
  },
});
