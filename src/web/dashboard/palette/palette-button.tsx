import { useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { phoneQuery, useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { unsavedChanges } from "../dialogs/unsaved-changes.tsx";
import type { Action, Screen } from "./palette-items.ts";
import { isSingleKey } from "./single-keys.ts";
import styles from "./palette.module.css";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);
const showKeys = () => void import("./keys-dialog.tsx").then(({ openKeysDialog }) => openKeysDialog());

type Props = Readonly<{
  userRole: Role;
  navigation: readonly Screen[];
  onToggleSidebar?: (() => void) | undefined;
  onSignOut(): void;
}>;

/** Ctrl or Cmd + K opens the palette, `/` focuses the list's search, `?` shows the shortcuts. */
export function PaletteButton({ userRole, navigation, onToggleSidebar, onSignOut }: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const close = () => {
    setOpen(false);
    setTyped("");
  };
  const isPhone = useMediaQuery(phoneQuery);
  useHotkeys([["mod+K", () => document.querySelector("dialog[open]") ?? setOpen(true)]], []);
  useSingleKeys();
  useEarlyKeys(open, setTyped);
  const screens: Screen[] = [
    ...navigation.map(({ label, to }) => ({ label, to })),
    { label: "Account", to: paths.account },
    { label: "Browse Artists", to: paths.browse() },
  ];
  const actions: Action[] = [
    ...(onToggleSidebar ? [{ label: "Collapse or expand the sidebar", run: onToggleSidebar }] : []),
    ...(isPhone ? [] : [{ label: "Keyboard shortcuts", run: showKeys }]),
    { label: "Sign Out", run: () => confirmSignOut(onSignOut) },
  ];
  return (
    <>
      <button
        className={`btn line sm ${styles.find}`}
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onPointerEnter={() => void loadPalette()}
        onClick={() => setOpen(true)}
      >
        <Search size={16} strokeWidth={1.8} aria-hidden />
        <span className={isPhone ? "sr" : undefined}>
          Search<span className="sr"> everything</span>
        </span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {open ? (
        <Suspense>
          <Palette
            userRole={userRole}
            screens={screens}
            actions={actions}
            typed={typed}
            onType={setTyped}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Opens one confirmation: with unsaved changes, signing out opens its own. */
function confirmSignOut(onSignOut: () => void): void {
  if (unsavedChanges().length > 0) return onSignOut();
  openConfirmation({
    title: "Sign out?",
    text: "You are signed out in this browser only. Your other devices stay signed in.",
    cancel: "Stay",
    confirm: "Sign Out",
    busy: "Signing out...",
    onConfirm: async () => onSignOut(),
  });
}

/** Collects what the user types before the palette's field has the focus. Loads the palette on Ctrl or Cmd, before the K. */
function useEarlyKeys(open: boolean, setTyped: Dispatch<SetStateAction<string>>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!open) {
        if (event.key === "Control" || event.key === "Meta") void loadPalette();
        return;
      }
      const inDialog = event.target instanceof Element && event.target.closest('[role="dialog"]');
      if (inDialog || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) setTyped((before) => before + event.key);
      else if (event.key === "Backspace") setTyped((before) => before.slice(0, -1));
      else if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [open, setTyped]);
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
