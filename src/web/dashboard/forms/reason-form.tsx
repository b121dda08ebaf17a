import { Textarea } from "@mantine/core";
import type { Message } from "../../lib/toasts.ts";
import { DialogForm, useApiForm } from "./api-form.tsx";

export const tooShort = (text: string): string | undefined =>
  text.trim().length < 10 ? "Enter at least 10 characters." : undefined;

type Props = Readonly<{
  text: string;
  confirm: string;
  label?: string;
  danger?: boolean;
  send(written: string): Promise<unknown>;
  done: Message;
  onClose(): void;
}>;

/** The text has 10 to 500 characters. After an error the dialog stays open with the input. */
export function ReasonForm({
  text,
  confirm,
  label = "The reason, for the record",
  danger = false,
  send,
  done,
  onClose,
}: Props) {
  const form = useApiForm({
    initialValues: { reason: "" },
    fallback: "reason",
    validate: { reason: tooShort },
    send: ({ reason }) => send(reason),
    done,
    onClose,
  });
  return (
    <DialogForm
      text={text}
      form={form}
      submit={confirm}
      busyLabel="Sending..."
      tone={danger ? "danger" : "main"}
      onClose={onClose}
    >
      <Textarea label={label} rows={3} maxLength={500} required data-autofocus {...form.field("reason")} />
    </DialogForm>
  );
}
