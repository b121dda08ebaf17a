/**
 * The open streams of this process. A stream belongs to one session and hears what concerns its person; when what the
 * person may do has changed, the server asks again who they are, and a stream that should not be open any more ends at once.
 */
import { Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services.ts";
import { type ChangeNotification, type Signals, listenToChanges } from "./change-notifications.ts";
import type { RealtimeTopic } from "./api.ts";

/** A browser needs one stream, whatever the number of its tabs; more are for browsers that cannot share one. */
export const mostPerSession = 5;
/** A stream costs a socket and a few kilobytes; above this a process would rather serve pages. */
const mostPerProcess = 2_000;

/** Milliseconds. */
export type StreamIntervals = Readonly<{
  /** Between two looks at all streams. */
  sweepMs: number;
  /** After so long a stream is asked about again, for what nobody signals: a session or a hosted account that has run out. */
  askAgainMs: number;
  /** Between two signs of life, by which the browser knows that its connection is not dead. */
  beatMs: number;
}>;
const defaultIntervals: StreamIntervals = { sweepMs: 5_000, askAgainMs: 60_000, beatMs: 25_000 };

export type Stream = {
  readonly actor: Actor;
  readonly bearer: string;
  readonly endsAt: Date;
  /** What is to be sent. A set: a browser that reads slowly needs to hear of a thing only once. */
  readonly waiting: Set<RealtimeTopic>;
  /** Wakes whoever writes to the browser. */
  wake: () => void;
  ended: boolean;
  askedAt: number;
  beatAt: number;
};

export type Streams = {
  /** Opens a stream; throws `too_many` above the limits and `unavailable` while the process ends. */
  open(actor: Actor, bearer: string): Promise<Stream>;
  close(stream: Stream): void;
  count(): number;
  /** Ends every stream and refuses new ones: the first thing a process does when it ends. */
  drain(): Promise<void>;
};

/** What a stream asks of the accounts. It is handed in, so that this module knows no other. */
export type StreamAuth = Readonly<{
  /** Whose session this is now, never from a cache; null or an `ApiError` when the bearer opens nothing any more. */
  authenticate(bearer: string, sessionId: string): Promise<Actor | null>;
  /** When the bearer, which has been verified already, runs out. */
  expiryOf(bearer: string): Date;
}>;

/** Makes the streams of a process. It listens from the first stream on: a process without streams needs no connection for it. */
export function makeStreams(services: PlatformServices, auth: StreamAuth, intervals = defaultIntervals): Streams {
  const open = new Set<Stream>();
  let listening: Promise<Signals> | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  let draining = false;

  const listen = () =>
    listenToChanges(services, {
      onChange: (notification) => {
        for (const stream of open) if (concerns(notification, stream)) take(stream, notification.about);
      },
      onResync: () => {
        for (const stream of open) take(stream, "everything");
      },
    });

  const take = (stream: Stream, about: RealtimeTopic) => {
    if (about === "access" || about === "everything") void askAgain(stream, about);
    else say(stream, about);
  };

  /** Fails closed: a stream about which nothing can be learned ends, and its browser comes again. */
  async function askAgain(stream: Stream, news?: RealtimeTopic): Promise<void> {
    stream.askedAt = performance.now();
    let still = false;
    try {
      const actor = await auth.authenticate(stream.bearer, stream.actor.sessionId);
      still = actor !== null && actor.role === stream.actor.role && actor.aal === stream.actor.aal;
    } catch (error) {
      if (!(error instanceof Problem))
        services.log.warn({ err: error }, "a stream ends: its person cannot be asked for");
    }
    if (!still) end(stream, "access");
    else if (news) say(stream, news);
  }

  function sweep(): void {
    const now = performance.now();
    for (const stream of open) {
      if (services.clock.now() >= stream.endsAt) end(stream);
      else if (now - stream.askedAt >= intervals.askAgainMs) void askAgain(stream);
      if (now - stream.beatAt >= intervals.beatMs) {
        stream.beatAt = now;
        say(stream, "beat");
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
    open: async (actor, bearer) => {
      if (draining) throw ending();
      await (listening ??= listen());
      refuseMore(open, actor);
      if (draining) throw ending();
      const now = performance.now();
      const stream: Stream = {
        actor,
        bearer,
        endsAt: auth.expiryOf(bearer),
        waiting: new Set(),
        wake: () => undefined,
        ended: false,
        askedAt: now,
        beatAt: now,
      };
      open.add(stream);
      sweeping ??= setInterval(sweep, intervals.sweepMs).unref();
      // Between the first question at the door and this line the answer may have changed without anybody hearing it.
      await askAgain(stream);
      return stream;
    },
    close,
    count: () => open.size,
    drain: async () => {
      draining = true;
      for (const stream of open) end(stream);
      await (await listening)?.close();
    },
  };
}

const ending = () => new Problem("unavailable", "This server is about to end. Please connect again.");

const concerns = ({ to }: ChangeNotification, { actor }: Stream): boolean =>
  to.userIds.includes(actor.userId) || (to.admins && actor.role === "admin");

function refuseMore(open: ReadonlySet<Stream>, actor: Actor): void {
  const own = [...open].filter((stream) => stream.actor.sessionId === actor.sessionId).length;
  if (own >= mostPerSession)
    throw new Problem("too_many", `This session has ${mostPerSession} streams open already. Close one of them first.`, {
      retryAfterSeconds: 30,
    });
  if (open.size >= mostPerProcess)
    throw new Problem("too_many", "Too many people are watching live at the moment. Lists still load as usual.", {
      retryAfterSeconds: 30,
    });
}

function say(stream: Stream, about: RealtimeTopic): void {
  stream.waiting.add(about);
  stream.wake();
}

/** Ends a stream, with a last word when there is a reason that its browser should look into. */
function end(stream: Stream, last?: RealtimeTopic): void {
  if (stream.ended) return;
  stream.ended = true;
  stream.waiting.clear();
  if (last) stream.waiting.add(last);
  stream.wake();
}

/** What a stream hears, until it ends or its reader goes away. A reader that goes before the first word leaves nothing behind either. */
export function watch(
  stream: Stream,
  streams: Pick<Streams, "close">,
  gone: AbortSignal | undefined,
): AsyncGenerator<{ about: RealtimeTopic }, void, void> {
  const leave = () => {
    end(stream);
    streams.close(stream);
  };
  if (gone?.aborted) leave();
  gone?.addEventListener("abort", leave, { once: true });
  return wordsOf(stream, streams);
}

async function* wordsOf(stream: Stream, streams: Pick<Streams, "close">) {
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
