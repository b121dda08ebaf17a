import { type PageTime, readPageTimeFrom } from "../page-time.ts";
import { useHydrated } from "./use-hydrated.ts";

/** Shows the server's time in the first paint, then the viewer's. The caller renders everything that shows a time. */
export function usePageTime(time: PageTime | undefined): void {
  const isHydrated = useHydrated();
  if (typeof document !== "undefined") readPageTimeFrom(() => (isHydrated ? undefined : time));
}
