import { isOutage as isDatabaseOutage, sqlState, type Tx } from "#platform/db/index.ts";
import type { Problem } from "#platform/errors.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { type PaymentGateway, type Payments, ProviderFailure, unlessMissing } from "./gateway.ts";

/** The provider forgets idempotency keys after 24 hours, so what an older call did is looked up before another one. */
export const providerLookupAfterHours = 20;
/** The first interval is also the length of a claim. It is longer than one lookup and one call together (a minute each). */
const backoff = { firstSeconds: 180, maxSeconds: 3_600 };

export type NextTry = (attempts: number) => Date;

export const nextTryAfter =
  (now: Date): NextTry =>
  (attempts) =>
    new Date(now.getTime() + backoffSeconds(attempts, backoff) * 1000);

/** Rows whose calls move money. `claim` schedules the next attempt of the returned row, so two processes never claim the same one. `send` calls `notMade` when no earlier call made it. `record` stores a failed call. `idsOf` and `message` describe it in the log. */
type Queue<Row> = Readonly<{
  claim(tx: Tx, now: Date, nextTry: NextTry): Promise<Row | undefined>;
  send(row: Row, gateway: PaymentGateway, notMade: () => void): Promise<unknown>;
  record(tx: Tx, row: Row, failure: AttemptFailure): Promise<unknown>;
  idsOf(row: Row): Readonly<Record<string, string>>;
  message: string;
  limit?: number;
}>;

/** Claims and sends due rows one after another, outside transactions. The next attempt is scheduled first. At most `limit` rows (50), and none after an outage, because each would wait for its own timeout. */
export async function sendDue<Row>(services: Payments, queue: Queue<Row>): Promise<void> {
  const { gateway, database, clock } = services;
  if (!gateway) return;
  for (let count = 0; count < (queue.limit ?? 50); count++) {
    const now = clock.now();
    const row = await database.transaction((tx) => queue.claim(tx, now, nextTryAfter(now)));
    if (row === undefined) return;
    let isNotMade = false;
    try {
      await queue.send(row, gateway, () => (isNotMade = true));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      logFailure(services, error, queue.idsOf(row), queue.message);
      await database.transaction((tx) => queue.record(tx, row, { ...failureOf(error), isNotMade, at: clock.now() }));
      if (isOutage(error)) return;
    } finally {
      services.wake();
    }
  }
}

export function claimedFields(row: { attempts: number; requested_at: Date | null }, now: Date, nextTry: NextTry) {
  const attempts = row.attempts + 1;
  return { attempts, requested_at: row.requested_at ?? now, next_try_at: nextTry(attempts), updated_at: now };
}

type Attempt = { needs_lookup: boolean; requested_at: Date | null; created_at: Date };

/** Returns true if the provider must be queried before sending: an earlier call may have done it, or the row may come from a restored database. `row`: as before its claim. */
export const requiresProviderLookup = ({ needs_lookup, requested_at, created_at }: Attempt, now: Date): boolean =>
  needs_lookup || requested_at !== null || now.getTime() - created_at.getTime() > providerLookupAfterHours * hourMs;

/** Returns what a lookup found of earlier calls. Throws if the provider does not know their object, unless this call is the first: the key may belong to another account than that of an earlier call. */
export const findEarlier = async <T>(isFirst: boolean, lookup: Promise<T[]>): Promise<T[]> =>
  isFirst ? ((await unlessMissing(lookup)) ?? []) : lookup;

/** Returns the idempotency key of a claim: the row's id, and another one when a failure has spent it. Claims that overlap have the same key, so they make one call. */
export const claimKey = (row: { id: string; needs_lookup: boolean }, claimed: { requested_at: Date }): string =>
  row.needs_lookup ? `${row.id}:${claimed.requested_at.getTime()}` : row.id;

export const failedCallFields = ({ message, isKeySpent, at }: AttemptFailure) => ({
  last_error: message,
  ...(isKeySpent ? { needs_lookup: true, requested_at: at } : {}),
});

export const failedClaimFields = (failure: AttemptFailure) => ({
  ...failedCallFields(failure),
  ...(failure.refused ? { status: "failed" as const, needs_lookup: !failure.isNotMade } : {}),
});

/** Returns true if the provider was away: it could not be reached, did not answer in time, or answered with a 5xx status. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ProviderFailure && (error.kind === "no_answer" || error.kind === "server_error");

/** Returns true if an object of the provider caused the failure. Otherwise a retry may succeed: the provider cannot be reached or rejects our key, or the database fails. */
export function isCausedByObject(error: unknown): boolean {
  if (error instanceof ProviderFailure) return error.kind === "refused" || error.kind === "missing";
  // SQLSTATE classes of what the object itself causes: invalid data, a constraint, a trigger.
  return !isDatabaseOutage(error) && /^(22|23|P0|$)/.test(sqlState(error) ?? "");
}

/** Logs a failed call: a warning if the provider was away, otherwise an error, because the operator must act, for example on a rejected key. */
export function logFailure(
  { log }: Pick<Payments, "log">,
  error: unknown,
  ids: Readonly<Record<string, string | undefined>>,
  message: string,
): void {
  log[isOutage(error) ? "warn" : "error"]({ err: error, ...ids }, message);
}

/** Makes a call whose result a user waits for. A failure is logged. The caller gets the error of `toProblem` instead, which may also record it. */
export async function callProvider<T>(
  services: Pick<Payments, "log">,
  call: () => Promise<T>,
  failure: Readonly<{
    ids: Readonly<Record<string, string | undefined>>;
    message: string;
    toProblem(error: ProviderFailure): Promise<Problem>;
  }>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(services, error, failure.ids, failure.message);
    throw await failure.toProblem(error);
  }
}

/** A call that the provider did not confirm. `refused`: it never will. `isKeySpent`: the provider may answer the same key with this failure again. `isNotMade`: no earlier call made it, so a provider error is final. */
export type AttemptFailure = Readonly<{
  message: string;
  refused: boolean;
  isKeySpent: boolean;
  isNotMade: boolean;
  at: Date;
}>;

function failureOf({ kind, message }: ProviderFailure) {
  const refused = kind === "refused" || kind === "missing";
  return { message, refused, isKeySpent: refused || kind === "server_error" };
}
