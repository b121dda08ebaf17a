import { useCallback, useEffect, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import type { BookingResponse } from "../../booking/progress.ts";

export type PageState =
  | Readonly<{ phase: "loading" | "unknown" }>
  | Readonly<{ phase: "failed"; message: string; reference: string | undefined }>
  | Readonly<{ phase: "known"; booking: BookingResponse }>;

/** How often a visible page reloads, in milliseconds. */
const refreshMs = 20_000;

/** Loads and polls the booking. First exchanges a signed link for a cookie, then calls `onOpened`. */
export function useBookingPage(id: string, link: string | null, onOpened: () => void) {
  const [state, setState] = useState<PageState>({ phase: "loading" });
  const load = useCallback(async () => {
    const next = await readPage(id, link);
    // A failed reload changes nothing.
    setState((before) => (next.phase === "failed" && before.phase === "known" ? before : next));
    if (next.phase === "known" && link) onOpened();
  }, [id, link, onOpened]);
  useEffect(() => {
    void load();
    const again = () => document.visibilityState === "visible" && void load();
    const timer = setInterval(again, refreshMs);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [load]);
  const retry = () => {
    setState({ phase: "loading" });
    void load();
  };
  return { state, retry, reload: () => void load() };
}

async function readPage(id: string, link: string | null): Promise<PageState> {
  try {
    const [{ browserApi }, { startSession }] = await Promise.all([
      import("../../lib/api/browser-api.ts"),
      import("../../lib/auth/session.ts"),
    ]);
    await startSession();
    const booking = link ? await browserApi.bookings.open({ id, link }) : await browserApi.bookings.read({ id });
    return { phase: "known", booking };
  } catch (error) {
    const { status, message, reference } = apiErrorOf(error);
    // Another user's booking gets the same response as a missing one.
    return status === 404 || status === 400 ? { phase: "unknown" } : { phase: "failed", message, reference };
  }
}
