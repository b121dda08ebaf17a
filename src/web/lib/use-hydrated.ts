import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and in the first paint, true once the page listens to its buttons. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
