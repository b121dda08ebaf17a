import type { PlatformServices } from "#platform/services/index.ts";
import type { AuthProvider } from "../provider.ts";
import { callService } from "./client.ts";
import { rejectHostedCode, verifyHostedPassword } from "./reauthentication.ts";
import { invalidateSession, readHostedToken } from "./sessions.ts";

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
