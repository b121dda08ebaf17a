/** Slow calls of account responses. A service, because other tests should not wait. */

import { setTimeout as pause } from "node:timers/promises";
import { hash, type Options, verify } from "@node-rs/argon2";

export type AuthTiming = Readonly<{
  /** Slow by design: never call it inside a transaction. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(stored: string, password: string): Promise<boolean>;
  /** Waits for the next multiple of `milliseconds` since `start`, a time of `performance.now()`. */
  waitForMultiple(milliseconds: number, start: number): Promise<void>;
}>;

/** argon2id (the package's default) with 19 MiB, two passes, one lane: the minimum of OWASP. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const authTiming: AuthTiming = {
  hashPassword: (password) => hash(password, cost),
  verifyPassword: (stored, password) => verify(stored, password),
  waitForMultiple: async (milliseconds, start) => {
    const elapsed = performance.now() - start;
    await pause(Math.ceil(elapsed / milliseconds) * milliseconds - elapsed);
  },
};
