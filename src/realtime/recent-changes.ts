import type { ChangeNotification } from "./change-notifications.ts";

const retentionMs = 60_000;

export type RecentChanges = {
  add(notification: ChangeNotification): void;
  /** Forgets everything after a gap. From now on the notifications are complete again. */
  restart(): void;
  /** Returns the notifications of the last `missedMs` milliseconds, or null if they are not all known. */
  ofLast(missedMs: number): ChangeNotification[] | null;
};

/** Stores notifications from now on. A browser counts missed time until it sends its request, which takes at most `requestMs` to arrive. */
export function makeRecentChanges(requestMs: number, now: () => number = () => performance.now()): RecentChanges {
  let recent: { at: number; notification: ChangeNotification }[] = [];
  let completeSince = now();
  return {
    add: (notification) => {
      const at = now();
      const oldest = at - retentionMs;
      const first = recent.findIndex((one) => one.at >= oldest);
      if (first !== 0) recent = first < 0 ? [] : recent.slice(first);
      completeSince = Math.max(completeSince, oldest);
      recent.push({ at, notification });
    },
    restart: () => {
      recent = [];
      completeSince = now();
    },
    ofLast: (missedMs) => {
      const since = now() - missedMs - requestMs;
      if (since < completeSince) return null;
      return recent.filter(({ at }) => at >= since).map(({ notification }) => notification);
    },
  };
}
