/** The minimum cost of a password hash without delays, for tests that do not measure response times. */

import { hash } from "@node-rs/argon2";
import { type AuthTiming, authTiming } from "#platform/security/auth-timing.ts";

export const quickAuthTiming: AuthTiming = {
  ...authTiming,
  hashPassword: (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
  waitForMultiple: async () => undefined,
};
