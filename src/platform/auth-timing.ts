/** How much time answers about accounts take on purpose. A service, so that tests of something else need not wait. */
import { setTimeout as pause } from "node:timers/promises";

export type AuthTiming = Readonly<{
  /** The cost of an argon2id hash: KiB of memory, passes, lanes. */
  passwordCost: Readonly<{ memoryCost: number; timeCost: number; parallelism: number }>;
  /** Waits for the next multiple of so many milliseconds since `start`, a time of `performance.now()`. */
  waitForMultiple(milliseconds: number, start: number): Promise<void>;
}>;

/** What every server uses: the least cost that OWASP names for argon2id, and real waits. */
export const authTiming: AuthTiming = {
  passwordCost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  waitForMultiple: async (milliseconds, start) => {
    const taken = performance.now() - start;
    await pause(Math.ceil(taken / milliseconds) * milliseconds - taken);
  },
};
