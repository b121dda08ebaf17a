/** Answers that take the same time whatever they found. */
import { setTimeout as pause } from "node:timers/promises";

/** Gives the work's result, or its failure, at the next multiple of so many milliseconds counted from the call. */
export async function withMinimumResponseTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    await pauseToNext(milliseconds, start);
  }
}

/** The same for failures alone; a success comes at once. */
export async function failWithMinimumResponseTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } catch (error) {
    await pauseToNext(milliseconds, start);
    throw error;
  }
}

async function pauseToNext(milliseconds: number, start: number): Promise<void> {
  const taken = performance.now() - start;
  await pause(Math.ceil(taken / milliseconds) * milliseconds - taken);
}
