/**
 * One stream of notifications for all tabs of this browser. The tab that holds the lock leads: it keeps the stream open and hands
 * every notification to the others. When it closes, the next one leads. A browser without locks opens a stream in every tab.
 */
import type { RealtimeTopic } from "#realtime/api.ts";

export type EventStreamOptions = Readonly<{
  /** The same in every tab of one person, and in no other's. */
  name: string;
  /** Opens the stream; throws when it is refused or the server cannot be reached. */
  connect(signal: AbortSignal): Promise<AsyncIterable<Readonly<{ about: RealtimeTopic }>>>;
  /** Called in every tab with what may have changed; with `everything` after each opening, because earlier notifications may be lost. */
  onNotification(about: RealtimeTopic): void;
  locks: LockManager | undefined;
}>;

/** The server gives a sign of life every 25 seconds; a connection that was silent for longer than two of them is dead. */
export const longestSilenceMs = 60_000;
/** A stream that lasted so long was a good one: its end is no reason to wait. */
const lastedMs = 5_000;

/** Milliseconds before the next try: 0.25, 0.5, 1 … seconds, at most half a minute, less up to a half by chance. */
export const waitMs = (failures: number, chance = Math.random()): number =>
  Math.min(30_000, 250 * 2 ** failures) * (1 - chance / 2);

/** Begins; the returned function ends it, and the stream with it. */
export function startEventStream({ name, connect, onNotification, locks }: EventStreamOptions): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const channel = locks ? new BroadcastChannel(name) : undefined;
  channel?.addEventListener("message", (message: MessageEvent<RealtimeTopic>) => onNotification(message.data));
  const notify = (about: RealtimeTopic) => {
    if (signal.aborted) return;
    onNotification(about);
    channel?.postMessage(about);
  };
  const lead = () => keepOpen(connect, notify, signal);
  if (locks) {
    locks.request(name, { signal }, lead).catch((error: unknown) => {
      // Waiting for the lead ends with an error when this tab stops waiting: that is no failure.
      if (!signal.aborted) throw error;
    });
  } else void lead();
  return () => {
    stopping.abort();
    channel?.close();
  };
}

async function keepOpen(
  connect: EventStreamOptions["connect"],
  notify: (about: RealtimeTopic) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const openMs = await readOnce(connect, notify, signal);
    failures = openMs >= lastedMs ? 0 : failures + 1;
    await pause(waitMs(failures), signal);
  }
}

/** Reads one stream to its end, whatever ends it; answers for how long it was open, in milliseconds. */
async function readOnce(
  connect: EventStreamOptions["connect"],
  notify: (about: RealtimeTopic) => void,
  signal: AbortSignal,
): Promise<number> {
  const connection = new AbortController();
  const cut = () => connection.abort();
  signal.addEventListener("abort", cut, { once: true });
  let silence = setTimeout(cut, longestSilenceMs);
  let since: number | undefined;
  try {
    const notifications = await connect(connection.signal);
    since = performance.now();
    notify("everything");
    for await (const { about } of notifications) {
      clearTimeout(silence);
      silence = setTimeout(cut, longestSilenceMs);
      if (about !== "beat") notify(about);
    }
  } catch {
    // Rejected, lost or cut: the same stream is asked for again, and lists show their own error when they cannot be read.
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", cut);
  }
  return since === undefined ? 0 : performance.now() - since;
}

/** Waits; not longer than until the browser is online again, or everything ends. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
