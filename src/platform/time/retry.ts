export type Backoff = Readonly<{ firstSeconds: number; maxSeconds: number }>;

/** Returns the seconds after a failed attempt, counted from 1: first, 2 × first, 4 × first … at most `maxSeconds`. Without randomness. */
export const backoffSeconds = (attempt: number, { firstSeconds, maxSeconds }: Backoff): number =>
  Math.min(maxSeconds, firstSeconds * 2 ** Math.min(attempt - 1, 50));

/** Returns the same in milliseconds, less a random part of up to one half: waiting processes do not retry together. */
export const jitteredBackoffMs = (attempt: number, backoff: Backoff, chance = Math.random()): number =>
  1_000 * backoffSeconds(attempt, backoff) * (1 - chance / 2);
