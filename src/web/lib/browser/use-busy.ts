import { useEffect, useState } from "react";

/** The state of an action that leaves the page. The browser's Back restores a page with its state, so it becomes idle again. */
export function useBusy<State>(idle: State) {
  const [busy, setBusy] = useState(idle);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(idle);
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [idle]);
  return [busy, setBusy] as const;
}
