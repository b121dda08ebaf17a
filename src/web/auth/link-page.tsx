import type { ComponentProps, ReactNode } from "react";
import { useHydrated } from "../lib/browser/use-hydrated.ts";
import { Button } from "../ui/button.tsx";
import styles from "./auth.module.css";

/** The button that uses the link. It waits for the scripts. */
export function LinkAction(props: Omit<ComponentProps<typeof Button>, "size" | "wide" | "disabled">) {
  const ready = useHydrated();
  return <Button {...props} size="big" wide disabled={!ready} data-waiting={!ready || undefined} />;
}

type Props = Readonly<{ title: string; text: string; children?: ReactNode }>;

export function LinkOutcome({ title, text, children }: Props) {
  return (
    <div role="status">
      <h1 className={styles.tight}>{title}</h1>
      <p className={styles.lead}>{text}</p>
      {children}
    </div>
  );
}
