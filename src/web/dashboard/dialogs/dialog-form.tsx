import type { ComponentProps, ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import type { useApiForm } from "../use-api-form.ts";
import dialog from "./dialog.module.css";

type Props = Readonly<{
  form: Pick<ReturnType<typeof useApiForm>, "props" | "error" | "busy">;
  submit: string;
  busyLabel: string;
  cancel?: string;
  tone?: ComponentProps<typeof Button>["tone"];
  disabled?: boolean;
  busy?: boolean;
  focusCancel?: boolean;
  onClose(): void;
  children: ReactNode;
}>;

export function DialogForm(props: Props) {
  const { form, submit, busyLabel, cancel = "Cancel", tone = "main", disabled, busy, focusCancel, onClose } = props;
  return (
    <form ref={markFirstField} className={dialog.form} {...form.props}>
      {props.children}
      <ErrorNote message={form.error} />
      <div className={dialog.actions}>
        <Button tone="line" onClick={onClose} data-autofocus={focusCancel || undefined}>
          {cancel}
        </Button>
        <Button type="submit" tone={tone} disabled={disabled} busy={form.busy || busy} busyLabel={busyLabel}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Gives the first field the focus instead of the dialog's Close button, which comes before it. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector("[data-autofocus]")) return;
  form?.querySelector("input, select, textarea, button")?.setAttribute("data-autofocus", "");
}
