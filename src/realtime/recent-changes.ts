/** The notifications of the last minute, from which a stream that opens learns what its browser has missed. */
import type { ChangeNotification } from "./change-notifications.ts";

/** For so long the notifications are kept, in milliseconds. */
const keptMs = 60_000;

export type RecentChanges = {
  add(notification: ChangeNotification): void;
  /** Forgets everything: from now on the notifications are complete again. */
  restart(): void;
  /** What was notified in the last milliseconds, or null when they reach back further than what is known. */
  ofLast(missedMs: number): ChangeNotification[] | null;
};

/** Keeps notifications from now on. A browser counts until it asks; its request takes at most `requestMs`. */
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
