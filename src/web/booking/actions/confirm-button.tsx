import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { DialogButton } from "../plain-dialog.tsx";
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

export const ConfirmButton = ({ label, text, cancel, confirm, danger = false, onConfirm, ...button }: Props) => (
  <DialogButton {...button} label={label} title={label}>
    {(close) => (
      <>
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
      </>
    )}
  </DialogButton>
);
