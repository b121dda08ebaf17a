import { type KeyboardEvent, useRef } from "react";
import styles from "../auth.module.css";

export type AuthTab = "sign-in" | "sign-up";

const tabs = [
  ["sign-in", "Sign In"],
  ["sign-up", "Sign Up"],
] as const;

export function AuthTabs({ open, onOpen }: Readonly<{ open: AuthTab; onOpen(tab: AuthTab): void }>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: "sign-in", ArrowRight: "sign-up", Home: "sign-in", End: "sign-up" }[event.key];
    if (wanted !== "sign-in" && wanted !== "sign-up") return;
    event.preventDefault();
    onOpen(wanted);
    list.current?.querySelector<HTMLElement>(`#tab-${wanted}`)?.focus();
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label="Account" ref={list} onKeyDown={move}>
      {tabs.map(([tab, label]) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={open === tab}
          aria-controls="auth-panel"
          tabIndex={open === tab ? 0 : -1}
          onClick={() => onOpen(tab)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
