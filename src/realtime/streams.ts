import { Problem } from "#platform/errors.ts";
import { isFullAdmin } from "#platform/http/access.ts";
import type { Actor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { RealtimeTopic } from "./api.ts";
import { type ChangeNotification, listenToChanges } from "./change-notifications.ts";
import { makeRecentChanges } from "./recent-changes.ts";

/** A browser shares one stream between its tabs. Those that cannot need more. */
export const maxPerSession = 5;
/** A stream costs a socket and a few kilobytes. The limit leaves capacity for requests. */
const maxPerProcess = 2_000;

type Intervals = Readonly<{
  sweepMs: number; // between checks of all streams
  reauthenticateMs: number; // finds changes that are not broadcast: an expired session or hosted account
  beatMs: number; // between beats, which show the browser that its connection is alive
  requestMs: number; // the longest time that a browser's request takes to arrive
}>;
const defaultIntervals: Intervals = { sweepMs: 5_000, reauthenticateMs: 60_000, beatMs: 25_000, requestMs: 10_000 };

export type Stream = {
  readonly actor: Actor;
  readonly bearer: string;
  readonly endsAt: Date;
  /** Topics to send. A set, because a slow browser needs each topic only once. */
  readonly waiting: Set<RealtimeTopic>;
  wake: () => void;
  ended: boolean;
  authenticatedAt: number;
  beatAt: number;
};

export type Streams = {
  /** Opens a stream. Throws `too_many` above the limits, `unavailable` during shutdown. A returning browser first gets what it missed. */
  open(actor: Actor, bearer: string, missedMs?: number): Promise<Stream>;
  close(stream: Stream): void;
  count(): number;
  /** Ends every stream and refuses new ones. A process calls it first at shutdown. */
  drain(): Promise<void>;
};

/** What a stream needs of the users module. It is passed in, and this module imports no other. */
export type StreamAuth = Readonly<{
  /** Returns the current session of the bearer, never from a cache. Returns null or throws a Problem if it is no longer valid. */
  authenticate(bearer: string, sessionId: string): Promise<Actor | null>;
  expiryOf(bearer: string): Date;
}>;

/** Makes the streams of a process. It listens from the first stream on: a process without streams needs no connection. */
export function makeStreams(services: PlatformServices, auth: StreamAuth, intervals = defaultIntervals): Streams {
  const open = new Set<Stream>();
  const recent = makeRecentChanges(intervals.requestMs);
  let listening: ReturnType<typeof listenToChanges> | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  let draining = false;

  const concerns = ({ to }: ChangeNotification, { actor }: Stream): boolean =>
    to.userIds.includes(actor.userId) || (to.admins && isFullAdmin(actor, services));

  const listen = async () => {
    const stop = await listenToChanges(services, {
      onChange: (notification) => {
        recent.add(notification);
        for (const stream of open) if (concerns(notification, stream)) receive(stream, notification.about);
      },
      onResync: () => {
        recent.restart();
        for (const stream of open) receive(stream, "everything");
      },
    });
    recent.restart();
    return stop;
  };
  /** Listens once for all streams. After a failed attempt the next stream tries again, because its browser reconnects automatically. */
  const startListening = () =>
    (listening ??= listen().catch((error: unknown) => {
      listening = undefined;
      throw error;
    }));

  const missedBy = (stream: Stream, missedMs: number): readonly RealtimeTopic[] =>
    recent
      .ofLast(missedMs)
      ?.filter((notification) => concerns(notification, stream))
      .map(({ about }) => about) ?? ["everything"];

  const receive = (stream: Stream, about: RealtimeTopic) => {
    if (about === "access" || about === "everything") void reauthenticate(stream, about);
    else send(stream, about);
  };

  /** Fails closed: a stream whose session cannot be authenticated ends, and its browser connects again. */
  async function reauthenticate(stream: Stream, topic?: RealtimeTopic): Promise<void> {
    stream.authenticatedAt = performance.now();
    let isSame = false;
    try {
      const actor = await auth.authenticate(stream.bearer, stream.actor.sessionId);
      isSame = actor !== null && actor.role === stream.actor.role && actor.aal === stream.actor.aal;
    } catch (error) {
      if (!(error instanceof Problem))
        services.log.warn({ err: error }, "a stream ends: its session could not be authenticated");
    }
    if (!isSame) end(stream, "access");
    else if (topic) send(stream, topic);
  }

  function sweep(): void {
    const now = performance.now();
    for (const stream of open) {
      if (services.realClock.now() >= stream.endsAt) end(stream);
      else if (now - stream.authenticatedAt >= intervals.reauthenticateMs) void reauthenticate(stream);
      if (now - stream.beatAt >= intervals.beatMs) {
        stream.beatAt = now;
        send(stream, "beat");
      }
    }
  }

  function close(stream: Stream): void {
    open.delete(stream);
    if (open.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  return {
    open: async (actor, bearer, missedMs) => {
      if (draining) throw endingError();
      await startListening();
      requireCapacity(open, actor);
      if (draining) throw endingError();
      const now = performance.now();
      const stream: Stream = {
        actor,
        bearer,
        endsAt: auth.expiryOf(bearer),
        waiting: new Set(),
        wake: () => undefined,
        ended: false,
        authenticatedAt: now,
        beatAt: now,
      };
      open.add(stream);
      sweeping ??= setInterval(sweep, intervals.sweepMs).unref();
      // Access may have changed between the request's authentication and this line, while this stream had no listener.
      await reauthenticate(stream);
      if (missedMs !== undefined && !stream.ended) for (const about of missedBy(stream, missedMs)) send(stream, about);
      return stream;
    },
    close,
    count: () => open.size,
    drain: async () => {
      draining = true;
      for (const stream of open) end(stream);
      await (
        await listening?.catch(() => undefined)
      )?.();
    },
  };
}

const endingError = () => new Problem("unavailable", "This server is shutting down. Connect again.");

function requireCapacity(open: ReadonlySet<Stream>, actor: Actor): void {
  const own = [...open].filter((stream) => stream.actor.sessionId === actor.sessionId).length;
  if (own >= maxPerSession)
    throw new Problem("too_many", `This session has ${maxPerSession} streams open already. Close one of them first.`, {
      retryAfterSeconds: 30,
    });
  if (open.size >= maxPerProcess)
    throw new Problem("too_many", "Too many live streams are open at the moment. Lists still load as usual.", {
      retryAfterSeconds: 30,
    });
}

function send(stream: Stream, about: RealtimeTopic): void {
  stream.waiting.add(about);
  stream.wake();
}

function end(stream: Stream, last?: RealtimeTopic): void {
  if (stream.ended) return;
  stream.ended = true;
  stream.waiting.clear();
  if (last) stream.waiting.add(last);
  stream.wake();
}

/** Yields the topics of a stream until it ends or its client leaves, even before the first topic. */
export function watch(
  stream: Stream,
  streams: Pick<Streams, "close">,
  aborted: AbortSignal | undefined,
): AsyncGenerator<{ about: RealtimeTopic }, void, void> {
  const leave = () => {
    end(stream);
    streams.close(stream);
  };
  if (aborted?.aborted) leave();
  aborted?.addEventListener("abort", leave, { once: true });
  return topicsOf(stream, streams);
}

async function* topicsOf(stream: Stream, streams: Pick<Streams, "close">) {
  try {
    for (;;) {
      for (const about of stream.waiting) {
        stream.waiting.delete(about);
        yield { about };
      }
      if (stream.ended) return;
      await new Promise<void>((resolve) => {
        stream.wake = resolve;
      });
    }
  } finally {
    streams.close(stream);
  }
}
