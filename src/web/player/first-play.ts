/** Whether a sample was started on this page. The player's bar loads only then. */
import { useSyncExternalStore } from "react";

let hasPlayed = false;
const readers = new Set<() => void>();

export function markPlayed(): void {
  hasPlayed = true;
  for (const read of readers) read();
}

const subscribe = (read: () => void) => {
  readers.add(read);
  return () => void readers.delete(read);
};

export const useHasPlayed = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => hasPlayed,
    () => false,
  );
