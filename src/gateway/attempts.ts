import { randomUUID } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { Problem } from "#platform/errors.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { type PaymentGateway, type Payments, ProviderFailure, unlessMissing } from "./gateway.ts";

/** The provider forgets idempotency keys after 24 hours, so an older call is queried before it is sent again. */
export const providerLookupAfterHours = 20;
/** The first interval is also the length of a claim. It is longer than one lookup and one call together (a minute each). */
const backoff = { firstSeconds: 180, maxSeconds: 3_600 };

export type NextTry = (attempts: number) => Date;

export const nextTryAfter =
  (now: Date): NextTry =>
  (attempts) =>
    new Date(now.getTime() + backoffSeconds(attempts, backoff) * 1000);

/** Rows whose calls move money. `claim` schedules the next attempt of the returned row, so two processes never claim the same one. `record` stores a failed call. `idsOf` and `message` describe it in the log. */
type Queue<Row> = Readonly<{
  claim(tx: Tx, now: Date, nextTry: NextTry): Promise<Row | undefined>;
  send(row: Row, gateway: PaymentGateway): Promise<unknown>;
  record(tx: Tx, row: Row, failure: AttemptFailure): Promise<unknown>;
  idsOf(row: Row): Readonly<Record<string, string>>;
  message: string;
  limit?: number;
}>;

/** Claims and sends due rows one after another, outside transactions. The next attempt is scheduled first. At most `limit` rows (50), and none after an outage, because each would wait for its own timeout. */
export async function sendDue<Row extends Attempt>(services: Payments, queue: Queue<Row>): Promise<void> {
  const { gateway, database, clock } = services;
  if (!gateway) return;
  for (let count = 0; count < (queue.limit ?? 50); count++) {
    const now = clock.now();
    const row = await database.transaction((tx) => queue.claim(tx, now, nextTryAfter(now)));
    if (row === undefined) return;
    try {
      await queue.send(row, gateway);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      logFailure(services, error, queue.idsOf(row), queue.message);
      const failure = failureOf(error, requiresProviderLookup(row, clock.now()));
      await database.transaction((tx) => queue.record(tx, row, failure));
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

/** Returns true if the provider must be queried before sending: the key may be forgotten, or the row may come from a restored database. */
export const requiresProviderLookup = (row: Attempt, now: Date): boolean =>
  row.needs_lookup ||
  now.getTime() - (row.requested_at ?? row.created_at).getTime() > providerLookupAfterHours * hourMs;

/** Returns what a lookup found of earlier calls. Throws if the provider does not know the payment, unless this call is the first: it may belong to another account, in which an earlier call made something. */
export const findEarlier = async <T>(isFirst: boolean, lookup: Promise<T[]>): Promise<T[]> =>
  isFirst ? ((await unlessMissing(lookup)) ?? []) : lookup;

/** Returns the idempotency key of a claim: the row's id, and another one when a failure has spent it. Claims that overlap have the same key, so they make one call. */
export const claimKey = (row: { id: string; needs_lookup: boolean }, claimed: { requested_at: Date }): string =>
  row.needs_lookup ? `${row.id}:${claimed.requested_at.getTime()}` : row.id;

/** Returns the fields of a row whose claim with a `claimKey` failed. `isNotMade`: no earlier call made it, so a provider error is final. Else it may have been made. */
export const failedClaimFields = ({ message, refused, isKeySpent }: AttemptFailure, isNotMade: boolean, now: Date) => ({
  last_error: message,
  ...(isKeySpent ? { needs_lookup: true, requested_at: now } : {}),
  ...(refused ? { status: "failed" as const, needs_lookup: !isNotMade } : {}),
});

/** Returns the idempotency key: the row's id. After a lookup a new one, because the old key is unusable and nothing was made. */
export const attemptKey = (id: string, looked: boolean): string => (looked ? `${id}:${randomUUID()}` : id);

/** Returns true if the provider was away: it could not be reached, did not answer in time, or answered with a 5xx status. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ProviderFailure && (error.kind === "no_answer" || error.kind === "server_error");

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

/** A call that the provider did not confirm. `needsLookup`: it may have done it. `refused`: it never will. `isKeySpent`: the provider may answer the same key with this failure again. */
export type AttemptFailure = Readonly<{
  message: string;
  needsLookup: boolean;
  refused: boolean;
  isKeySpent: boolean;
}>;

/** `looked`: the call had a new key, so a repeat with the row's id as the key would not find what it may have done. */
function failureOf({ kind, message }: ProviderFailure, looked: boolean): AttemptFailure {
  const refused = kind === "refused" || kind === "missing";
  const needsLookup = kind === "server_error" || (kind === "no_answer" && looked);
  return { message, needsLookup, refused, isKeySpent: refused || kind === "server_error" };
}

export const failedFields = ({ message, needsLookup, refused }: AttemptFailure) => ({
  last_error: message,
  // Only a lookup at the provider clears this flag, because a lost or broken response leaves the outcome unknown.
  ...(needsLookup ? { needs_lookup: true } : {}),
  ...(refused ? { status: "failed" as const } : {}),
});
