/** A button that opens a confirmation. Plain elements, because guests use it on public pages. */
import { type ReactNode, useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "../dialog.module.css";

type Props = Readonly<{
  label: string;
  tone?: "main" | "line";
  text: ReactNode;
  cancel: string;
  confirm: string;
  danger?: boolean;
  /** Shown on the first button, because the dialog closes before the action runs. */
  busy: boolean;
  busyLabel: string;
  disabled?: boolean;
  onConfirm(): Promise<void>;
}>;

export function ConfirmButton({ label, text, cancel, confirm, danger = false, onConfirm, ...more }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => dialog.current?.close();
  return (
    <>
      <Button {...more} onClick={() => dialog.current?.showModal()} aria-haspopup="dialog">
        {label}
      </Button>
      <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId}>
        <h2 id={titleId}>{label}</h2>
        <p>{text}</p>
        <div className={styles.actions}>
          <Button tone="line" onClick={close}>
            {cancel}
          </Button>
          <Button
            tone={danger ? "danger" : "main"}
            onClick={() => {
              close();
              void onConfirm();
            }}
          >
            {confirm}
          </Button>
        </div>
      </dialog>
    </>
  );
}
