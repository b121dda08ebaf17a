import type { RealtimeTopic } from "#realtime/api.ts";

type EventStreamOptions = Readonly<{
  name: string;
  /** Throws if the server rejects the stream. The server first sends the changes of the last `missedMs`. */
  connect(missedMs: number, signal: AbortSignal): Promise<AsyncIterable<Readonly<{ about: RealtimeTopic }>>>;
  /** Called in every tab with the changed topic, `everything` if unknown. */
  onNotification(about: RealtimeTopic): void;
  locks: LockManager | undefined;
}>;

/** The server sends a heartbeat every 25 seconds. A connection silent for longer than two of them is dead. */
export const maxSilenceMs = 60_000;
/** Milliseconds. After a stream of this length, the waits begin again. */
const lastedMs = 5_000;

const waitSteps = [1_000, 2_000, 5_000, 10_000] as const;

/** Returns the milliseconds before the next try: one of `waitSteps`, minus up to half at random. */
export const waitMs = (failures: number, chance = Math.random()): number =>
  (waitSteps[failures] ?? 10_000) * (1 - chance / 2);

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
  // The age of the other tabs' lists is unknown here.
  const onFirstOpened = () => channel?.postMessage("everything");
  const lead = () => keepOpen(connect, { notify, onFirstOpened }, signal);
  if (locks) {
    locks.request(name, { signal }, lead).catch((error: unknown) => {
      // A lock request rejects when this tab stops. That is not an error.
      if (!signal.aborted) throw error;
    });
  } else void lead();
  return () => {
    stopping.abort();
    channel?.close();
  };
}

type Moment = Readonly<{ date: number; running: number }>;
const present = (): Moment => ({ date: Date.now(), running: performance.now() });
const documentBegan = (): Moment => ({ date: performance.timeOrigin, running: 0 });
/** Returns the elapsed whole milliseconds by the larger clock: one stops while the computer sleeps, the other can be set back. */
const sinceMs = ({ date, running }: Moment): number =>
  Math.ceil(Math.max(Date.now() - date, performance.now() - running, 0));

type Listener = { notify(about: RealtimeTopic): void; onFirstOpened(): void };

async function keepOpen(
  connect: EventStreamOptions["connect"],
  { notify, onFirstOpened }: Listener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let heard: Moment | undefined;
  const listener = {
    onOpened: () => {
      if (!heard) onFirstOpened();
    },
    onEvent: (about: RealtimeTopic) => {
      heard = present();
      if (about !== "beat") notify(about);
    },
  };
  while (!signal.aborted) {
    const missedMs = sinceMs(heard ?? documentBegan());
    const openMs = await readOnce((connection) => connect(missedMs, connection), listener, signal);
    if (openMs >= lastedMs) failures = 0;
    await pause(waitMs(failures), signal);
    failures += 1;
  }
}

async function readOnce(
  connect: (signal: AbortSignal) => ReturnType<EventStreamOptions["connect"]>,
  { onOpened, onEvent }: { onOpened(): void; onEvent(about: RealtimeTopic): void },
  signal: AbortSignal,
): Promise<number> {
  const connection = new AbortController();
  const cut = () => connection.abort();
  signal.addEventListener("abort", cut, { once: true });
  let silence = setTimeout(cut, maxSilenceMs);
  let since: number | undefined;
  try {
    const notifications = await connect(connection.signal);
    since = performance.now();
    onOpened();
    for await (const { about } of notifications) {
      clearTimeout(silence);
      silence = setTimeout(cut, maxSilenceMs);
      onEvent(about);
    }
  } catch {
    // Rejected, lost or cut: the caller opens the stream again. Lists show their own errors.
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", cut);
  }
  return since === undefined ? 0 : performance.now() - since;
}

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
