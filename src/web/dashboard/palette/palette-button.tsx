import { useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { Role } from "#users/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { hasUnsavedChanges } from "../dialogs/unsaved-changes.tsx";
import type { Action, Screen } from "./palette-items.ts";
import { isSingleKey } from "./single-keys.ts";
import styles from "./palette.module.css";

const Palette = lazy(() => import("./palette.tsx"));
const showKeys = () => void import("./keys-dialog.tsx").then(({ openKeysDialog }) => openKeysDialog());

type Props = Readonly<{
  userRole: Role;
  navigation: readonly Screen[];
  onToggleSidebar?: (() => void) | undefined;
  onSignOut(): void;
}>;

/** Ctrl or Cmd + K opens the palette, `/` focuses the list's search, `?` shows the keys. */
export function PaletteButton({ userRole, navigation, onToggleSidebar, onSignOut }: Props) {
  const [open, setOpen] = useState(false);
  useHotkeys([["mod+K", () => setOpen(true)]], []);
  useSingleKeys();
  const screens: Screen[] = [
    ...navigation.map(({ label, to }) => ({ label, to })),
    { label: "Account", to: paths.account },
    { label: "Browse Artists", to: paths.browse() },
  ];
  const actions: Action[] = [
    ...(onToggleSidebar ? [{ label: "Collapse or expand the sidebar", run: onToggleSidebar }] : []),
    { label: "Show the keys", run: showKeys },
    { label: "Sign Out", detail: "asks first", run: () => confirmSignOut(onSignOut) },
  ];
  return (
    <>
      <button
        className={`btn line sm ${styles.find}`}
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search size={16} strokeWidth={1.8} aria-hidden />
        <span className={styles.label}>
          Search<span className="sr"> everything</span>
        </span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {open ? (
        <Suspense>
          <Palette userRole={userRole} screens={screens} actions={actions} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Opens one confirmation: with unsaved changes, signing out opens its own. */
function confirmSignOut(onSignOut: () => void): void {
  if (hasUnsavedChanges()) return onSignOut();
  openConfirmation({
    title: "Sign out?",
    text: "You are signed out in this browser only. Your other devices stay signed in.",
    cancel: "Stay",
    confirm: "Sign Out",
    busy: "Signing out...",
    onConfirm: async () => onSignOut(),
  });
}

/** Compares the character, because its key differs by keyboard layout. */
function useSingleKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.key !== "/" && event.key !== "?") || !isSingleKey(event)) return;
      if (event.key === "?") return showKeys();
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (!search) return;
      event.preventDefault();
      search.focus();
      search.select();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
