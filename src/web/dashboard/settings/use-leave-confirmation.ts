import { useEffect } from "react";
import { useBlocker } from "react-router";
import { openConfirmation } from "../dialogs/confirmation.tsx";

/** Confirms before the user leaves unsaved changes: a dialog for links, the browser's prompt for the tab. */
export function useLeaveConfirmation(hasChanges: boolean): void {
  // The tabs of a page share one form, so switching them loses no input.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasChanges && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    openConfirmation({
      title: "Leave without saving?",
      text: "Your changes on this page are not saved.",
      confirm: "Leave",
      busy: "Leaving...",
      cancel: "Keep editing",
      danger: true,
      onConfirm: () => Promise.resolve(blocker.proceed()),
      onCancel: () => blocker.reset(),
    });
  }, [blocker]);
  useEffect(() => {
    if (!hasChanges) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => window.removeEventListener("beforeunload", preventUnload);
  }, [hasChanges]);
}
