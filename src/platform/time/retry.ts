/** Waiting times between attempts: exponential back-off with an upper bound. The one place that computes them. */

export type Backoff = Readonly<{ firstSeconds: number; maxSeconds: number }>;

/** Seconds after the failed attempt of this number, from 1: first, 2 × first, 4 × first … at most `maxSeconds`. Without randomness. */
export const backoffSeconds = (attempt: number, { firstSeconds, maxSeconds }: Backoff): number =>
  Math.min(maxSeconds, firstSeconds * 2 ** Math.min(attempt - 1, 50));

/** The same in milliseconds with a random part of up to one half, so that many waiting processes do not come back at once. */
export const jitteredBackoffMs = (attempt: number, backoff: Backoff, chance = Math.random()): number =>
  1_000 * backoffSeconds(attempt, backoff) * (1 - chance / 2);
