/** Responses that take the same time for every result, to prevent account enumeration by timing. */

import type { PlatformServices } from "#platform/services/index.ts";

type Timed = Pick<PlatformServices, "authTiming">;

/** Returns or throws the work's result at the next multiple of `milliseconds`, counted from the call. */
export async function withMinimumResponseTime<T>(services: Timed, milliseconds: number, work: () => Promise<T>) {
  const start = performance.now();
  try {
    return await work();
  } finally {
    await services.authTiming.waitForMultiple(milliseconds, start);
  }
}

/** The same for failures only. A success returns immediately. */
export async function failWithMinimumResponseTime<T>(services: Timed, milliseconds: number, work: () => Promise<T>) {
  const start = performance.now();
  try {
    return await work();
  } catch (error) {
    await services.authTiming.waitForMultiple(milliseconds, start);
    throw error;
  }
}
