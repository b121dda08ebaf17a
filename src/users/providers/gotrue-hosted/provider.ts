import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { AuthProvider } from "../provider.ts";
import { callService, errorCodeOf } from "./client.ts";
import { invalidateSession, readHostedToken, endSessionAtService } from "./sessions.ts";

export const hostedProvider = (services: PlatformServices): AuthProvider => ({
  kind: "gotrue-hosted",
  readAccessToken: (bearer) => readHostedToken(services, bearer),
  // The service knows the level. The row of the session is only a copy.
  assuranceLevel: (_stored, claimed) => claimed,
  invalidateSession: async (sessionId) => {
    await invalidateSession(services, sessionId);
  },
  verifyPassword: (who, password) => verifyHostedPassword(services, who, password),
  verifyCode: async () => rejectHostedCode(),
  test: async () => {
    const { ok, status } = await callService(services, { method: "GET", path: "/health" });
    if (!ok) throw new Error(`the health of the sign-in service is ${status}`);
    return "The sign-in service answers.";
  },
});

const sessionShape = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });
const signInAgain = "Sign out and sign in again, then you have five minutes.";

/** Signs in with the password and ends that session immediately. Throws 403 with a message if that fails. */
async function verifyHostedPassword(
  services: PlatformServices,
  actor: Pick<Actor, "userId" | "email">,
  password: string,
): Promise<void> {
  const response = await callService(services, {
    method: "POST",
    path: "/token",
    query: { grant_type: "password" },
    body: { email: actor.email, password },
  });
  const session = response.ok ? sessionShape.safeParse(response.body) : undefined;
  if (session?.success) {
    await endSessionAtService(services, session.data.access_token);
    if (session.data.user.id === actor.userId) return;
  }
  if (errorCodeOf(response) === "invalid_credentials")
    throw new Problem("forbidden", "The password is wrong.", { code: "reauthentication_not_valid" });
  throw new Problem("forbidden", `The sign-in service could not check this password. ${signInAgain}`, {
    code: "reauthentication_needed",
  });
}

/** The service accepts its codes for a change of password only, and they cannot be checked here. */
const rejectHostedCode = (): never => {
  throw new Problem(
    "forbidden",
    `The sign-in service does not let us check codes. Enter your password instead. ${signInAgain}`,
    { code: "reauthentication_not_valid" },
  );
};
