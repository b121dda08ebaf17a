import { useCallback, useSyncExternalStore } from "react";

export const phoneQuery = "(max-width: 767.98px)";

/** False on the server and until hydration. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchList(query);
      list?.addEventListener("change", changed);
      return () => list?.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchList(query)?.matches ?? false,
    () => false,
  );
}

/** An environment without media queries, such as a test, matches none. */
const matchList = (query: string): MediaQueryList | undefined =>
  typeof window.matchMedia === "function" ? window.matchMedia(query) : undefined;
