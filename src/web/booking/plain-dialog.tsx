import { X } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useEffect,
  useId,
  useState,
} from "react";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import styles from "./dialog.module.css";

const textField = "textarea, input:not([type=checkbox], [type=radio], [type=file])";

type Content = (close: () => void) => ReactNode;

/** A modal of plain elements, because guests use it on public pages. */
export function PlainDialog({
  title,
  onClose,
  children,
}: Readonly<{ title: string; onClose(): void; children: Content }>) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  const id = useId();
  const [hasText, setHasText] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => dialog?.showModal(), [dialog]);
  const close = () => {
    dialog?.close();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An open calendar closes itself.
    if (event.key !== "Escape" || !hasText || isAsking || dialog?.querySelector('[aria-expanded="true"]')) return;
    event.preventDefault();
    setAsking(true);
  };
  return (
    <dialog
      ref={setDialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onChange={({ target }) => setHasText(hasText || (target as Element).matches(textField))}
    >
      <h2 id={id}>{title}</h2>
      {children(close)}
      {/* The last element, so the dialog's own first button or field gets the focus. */}
      <IconButton label="Close" className={styles.close} onClick={close}>
        <X size={20} aria-hidden />
      </IconButton>
      {isAsking ? (
        <PlainDialog title="Discard what you typed?" onClose={() => setAsking(false)}>
          {(keepEditing) => (
            <div className={styles.actions}>
              <Button tone="line" onClick={keepEditing}>
                Keep editing
              </Button>
              <Button tone="danger" onClick={close}>
                Discard
              </Button>
            </div>
          )}
        </PlainDialog>
      ) : null}
    </dialog>
  );
}

export const DialogOpened = createContext((_isOpen: boolean): void => undefined);

type Props = Omit<ComponentProps<typeof Button>, "children"> &
  Readonly<{ label: string; title: string; children: Content }>;

export function DialogButton({ label, title, children, ...button }: Props) {
  const [isOpen, setOpen] = useState(false);
  const onOpened = use(DialogOpened);
  const show = (open: boolean) => {
    setOpen(open);
    onOpened(open);
  };
  return (
    <>
      <Button {...button} onClick={() => show(true)} aria-haspopup="dialog">
        {label}
      </Button>
      {isOpen ? (
        <PlainDialog title={title} onClose={() => show(false)}>
          {children}
        </PlainDialog>
      ) : null}
    </>
  );
}

type ConfirmProps = Readonly<{
  label: string;
  tone?: "main" | "line";
  text: ReactNode;
  cancel: string;
  confirm: string;
  danger?: boolean;
  /** Shown on the first button, because the dialog closes before the action runs. */
  busyLabel: string;
  disabled?: boolean;
  onConfirm(): Promise<void>;
}>;

export function ConfirmButton({ label, text, cancel, confirm, danger = false, onConfirm, ...button }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  return (
    <DialogButton {...button} busy={busy} label={label} title={label}>
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
                setBusy(true);
                void onConfirm().finally(() => setBusy(false));
              }}
            >
              {confirm}
            </Button>
          </div>
        </>
      )}
    </DialogButton>
  );
}
