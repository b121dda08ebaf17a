import { useEffect } from "react";

const retryMs = 10_000;

/** Requests a failed query again every 10 seconds, for a section above a list: only the list has a Retry button. */
export function useRetry(failed: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (!failed) return undefined;
    const timer = setTimeout(() => void refetch(), retryMs);
    return () => clearTimeout(timer);
  }, [failed, refetch]);
}
