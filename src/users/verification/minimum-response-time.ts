/** Answers that take the same time whatever they found, so that time does not tell whether an account exists. */
import type { PlatformServices } from "#platform/services/index.ts";

type Timed = Pick<PlatformServices, "authTiming">;

/** Gives the work's result, or its failure, at the next multiple of so many milliseconds counted from the call. */
export async function withMinimumResponseTime<T>(
  services: Timed,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    await services.authTiming.waitForMultiple(milliseconds, start);
  }
}

/** The same for failures alone; a success comes at once. */
export async function failWithMinimumResponseTime<T>(
  services: Timed,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } catch (error) {
    await services.authTiming.waitForMultiple(milliseconds, start);
    throw error;
  }
}
