/** Answers that take the same time whatever they found. */
import { setTimeout as pause } from "node:timers/promises";

/** Gives the work's result no earlier than after so many milliseconds, or the next multiple of them, counted from the call. */
export async function inSteadyTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const taken = performance.now() - start;
    await pause(Math.ceil(taken / milliseconds) * milliseconds - taken);
  }
}
