/** The unsaved changes of the open page. Every editor registers its own here, and one component confirms before they are lost. */

import { useCallback, useEffect, useId, useLayoutEffect } from "react";
import { type Location, useBlocker, useLocation } from "react-router";
import { openConfirmation } from "./confirmation.tsx";

type Place = Pick<Location, "pathname" | "search">;
type Editor = Readonly<{ changes: readonly string[]; isLostWithQuery: boolean }>;

const editors = new Map<string, Editor>();

/** `changes` are names such as "the note". `isLostWithQuery`: another query of the same page closes the editor too. */
export function useUnsavedChanges(changes: readonly string[], isLostWithQuery = false): void {
  const id = useId();
  // A layout effect, so a link that is clicked right after the save opens no confirmation.
  useLayoutEffect(() => {
    if (changes.length === 0) return;
    editors.set(id, { changes, isLostWithQuery });
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventUnload);
    return () => {
      editors.delete(id);
      window.removeEventListener("beforeunload", preventUnload);
    };
  });
}

export function describeChanges(changes: readonly string[]): string {
  const named =
    changes.length > 4 ? `${changes.slice(0, 3).join(", ")} and ${changes.length - 3} more` : changes.join(", ");
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"} not saved: ${named}.`;
}

export const unsavedChanges = (): string[] => [...editors.values()].flatMap(({ changes }) => changes);

const confirmLeave = (changes: readonly string[], leave: () => void, onCancel?: () => void) =>
  openConfirmation({
    title: "Leave without saving?",
    text: describeChanges(changes),
    confirm: "Leave",
    busy: "Leaving...",
    cancel: "Keep editing",
    danger: true,
    onConfirm: async () => leave(),
    ...(onCancel ? { onCancel } : {}),
  });

/** Runs an action that closes every page, such as signing out, after a confirmation if changes would be lost. */
export function leaveAllPages(leave: () => void): void {
  const changes = unsavedChanges();
  if (changes.length === 0) return leave();
  confirmLeave(changes, leave);
}

/** Rendered once per dashboard, because the router supports one blocker. */
export function LeaveConfirmation() {
  const location = useLocation();
  const blocker = useBlocker(
    useCallback(
      ({ currentLocation, nextLocation }: { currentLocation: Place; nextLocation: Place }) =>
        changesLost(currentLocation, nextLocation).length > 0,
      [],
    ),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    confirmLeave(changesLost(location, blocker.location), blocker.proceed, blocker.reset);
  }, [blocker, location]);
  return null;
}

const changesLost = (from: Place, to: Place): string[] =>
  [...editors.values()].flatMap(({ changes, isLostWithQuery }) =>
    from.pathname !== to.pathname || (isLostWithQuery && from.search !== to.search) ? changes : [],
  );
