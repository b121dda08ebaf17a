import { Problem } from "../errors.ts";

/** `account` is the uploader's. Without one the task is the server's own and always waits. */
export type Turn = Readonly<{ account?: string | undefined; signal?: AbortSignal | undefined }>;

/** Makes a queue that runs one task at a time. An account has one task waiting, all accounts together `maxWaiting`. */
export function makeUploadQueue(maxWaiting = 20) {
  const waiting = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  return async function inTurn<T>(work: () => Promise<T>, { account, signal }: Turn = {}): Promise<T> {
    if (signal?.aborted) throw reasonOf(signal);
    if (account !== undefined) {
      if (waiting.has(account)) throw oneIsWaiting();
      if (waiting.size >= maxWaiting) throw manyAreWaiting();
      waiting.add(account);
    }
    return new Promise<T>((resolve, reject) => {
      // An aborted upload leaves the queue immediately: another upload of the account may wait instead.
      const giveUp = () => {
        if (account !== undefined) waiting.delete(account);
        if (signal) reject(reasonOf(signal));
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      last = last.then(async () => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", giveUp);
        if (account !== undefined) waiting.delete(account);
        await work().then(resolve, reject);
      });
    });
  };
}

const oneIsWaiting = () =>
  new Problem("too_many", "Another upload of yours is still waiting. Wait until it is done and try again.", {
    retryAfterSeconds: 10,
  });

const manyAreWaiting = () =>
  new Problem("unavailable", "Many files are being uploaded right now. Try again in a minute.", {
    retryAfterSeconds: 60,
  });

const reasonOf = ({ reason }: AbortSignal): Problem =>
  reason instanceof Problem
    ? reason
    : new Problem("unavailable", "The upload took too long. Nothing was stored. Please try again.", {
        retryAfterSeconds: 30,
      });
