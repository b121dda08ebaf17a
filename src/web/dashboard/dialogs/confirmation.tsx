import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { attempt } from "../../lib/attempt.ts";
import type { Message } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./dialog.module.css";

type Options = Readonly<{
  title: string;
  text: ReactNode;
  confirm: string;
  busy: string;
  cancel: string;
  danger?: boolean;
  /** Runs before the dialog closes. The toast then shows `done`, or the error below the title `failed`. */
  onConfirm(): Promise<unknown>;
  done?: Message;
  failed?: string;
  onCancel?(): void;
}>;

export function openConfirmation({ title, onCancel, onConfirm, ...options }: Options): void {
  let isConfirmed = false;
  const confirm = () => {
    isConfirmed = true;
    return onConfirm();
  };
  const id = modals.open({
    title,
    children: <Confirmation {...options} onConfirm={confirm} onClose={() => modals.close(id)} />,
    onClose: () => {
      if (!isConfirmed) onCancel?.();
    },
  });
}

type Props = Omit<Options, "title" | "onCancel"> & Readonly<{ onClose(): void }>;

function Confirmation({ text, confirm, busy, cancel, danger = false, onConfirm, done, failed, onClose }: Props) {
  const run = async () => {
    await attempt(onConfirm, done, failed);
    onClose();
  };
  return (
    <>
      <div className={styles.text}>{text}</div>
      <div className={styles.actions}>
        <Button tone="line" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button tone={danger ? "danger" : "main"} busyLabel={busy} onClick={run}>
          {confirm}
        </Button>
      </div>
    </>
  );
}
