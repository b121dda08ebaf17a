import { useSyncExternalStore } from "react";

/** Returns a value outside the components, for the whole site. `useValue` renders a part of it, on the server of the first value. */
export function makeStore<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get: () => value,
    set: (next: Value) => {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: <Part>(part: (now: Value) => Part): Part =>
      useSyncExternalStore(
        subscribe,
        () => part(value),
        () => part(first),
      ),
  };
}
