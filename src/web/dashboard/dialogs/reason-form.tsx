import { Textarea } from "@mantine/core";
import { useApiForm } from "../use-api-form.ts";
import { DialogForm } from "./dialog-form.tsx";
import dialog from "./dialog.module.css";

export const tooShort = (text: string): string | undefined =>
  text.trim().length < 10 ? "Enter at least 10 characters." : undefined;

type Props = Readonly<{
  text: string;
  confirm: string;
  label?: string;
  danger?: boolean;
  send(written: string): Promise<void>;
  onClose(): void;
}>;

/** The text has 10 to 500 characters. After an error the dialog stays open with the input. */
export function ReasonForm({
  text,
  confirm,
  label = "The reason, for the record",
  danger = false,
  send,
  onClose,
}: Props) {
  const form = useApiForm({
    initialValues: { reason: "" },
    fallback: "reason",
    validate: { reason: tooShort },
    send: async ({ reason }) => {
      await send(reason);
      onClose();
    },
  });
  return (
    <>
      <p className={dialog.text}>{text}</p>
      <DialogForm
        form={form}
        submit={confirm}
        busyLabel="Sending..."
        tone={danger ? "danger" : "main"}
        onClose={onClose}
      >
        <Textarea label={label} rows={3} maxLength={500} required data-autofocus {...form.field("reason")} />
      </DialogForm>
    </>
  );
}
