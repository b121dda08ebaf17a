import { useEffect, useRef } from "react";
import { queryClient } from "../../lib/api/query.ts";

/** Hides dialogs and stops shortcuts while the page is hidden. Reloads its data when it is shown again, and forgets them when it is left, because another user may sign in. */
export function useHiddenPage(hidden: boolean): void {
  const isHidden = useRef(false);
  useEffect(() => {
    isHidden.current = hidden;
    if (!hidden) return;
    const restore = hideDialogsAndShortcuts();
    return () => {
      restore();
      void queryClient.invalidateQueries();
    };
  }, [hidden]);
  useEffect(
    () => () => {
      if (isHidden.current) queryClient.clear();
    },
    [],
  );
}

/** Hides what is outside the element of a hidden page. Returns the function that restores it. */
function hideDialogsAndShortcuts(): () => void {
  const dialogs = document.querySelectorAll<HTMLElement>("[data-portal]");
  const setHidden = (hidden: boolean) => dialogs.forEach((dialog) => (dialog.hidden = hidden));
  const stop = (event: KeyboardEvent) => event.stopImmediatePropagation();
  setHidden(true);
  window.addEventListener("keydown", stop, { capture: true });
  return () => {
    setHidden(false);
    window.removeEventListener("keydown", stop, { capture: true });
  };
}
