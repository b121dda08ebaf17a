/** The notifications of the last minute. A new stream first sends those that its browser missed. */
import type { ChangeNotification } from "./change-notifications.ts";

const keptMs = 60_000;

export type RecentChanges = {
  add(notification: ChangeNotification): void;
  /** Forgets everything after a gap. From now on the notifications are complete again. */
  restart(): void;
  /** Returns the notifications of the last `missedMs` milliseconds, or null if they are not all known. */
  ofLast(missedMs: number): ChangeNotification[] | null;
};

/** Stores notifications from now on. A browser counts missed time until it sends its request, which takes at most `requestMs` to arrive. */
export function makeRecentChanges(requestMs: number, now: () => number = () => performance.now()): RecentChanges {
  let kept: { at: number; notification: ChangeNotification }[] = [];
  let completeSince = now();
  return {
    add: (notification) => {
      const at = now();
      const oldest = at - keptMs;
      const first = kept.findIndex((one) => one.at >= oldest);
      if (first !== 0) kept = first < 0 ? [] : kept.slice(first);
      completeSince = Math.max(completeSince, oldest);
      kept.push({ at, notification });
    },
    restart: () => {
      kept = [];
      completeSince = now();
    },
    ofLast: (missedMs) => {
      const since = now() - missedMs - requestMs;
      if (since < completeSince) return null;
      return kept.filter(({ at }) => at >= since).map(({ notification }) => notification);
    },
  };
}
