import { Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { lengthMessage } from "../../lib/form-validation.ts";
import type { Message } from "../../lib/toasts.ts";
import { DialogForm, openForm, useApiForm } from "./api-form.tsx";

type Options = Readonly<{
  text: ReactNode;
  label?: string;
  description?: string;
  rows?: number;
  bounds?: Readonly<{ min: number; max: number }>;
  missing?: string;
  name?: string;
  confirm: string;
  busy?: string;
  tone?: "main" | "danger";
  send(text: string): Promise<unknown>;
  done: Message;
}>;

/** Opens a dialog with one required text. After an error it stays open with the input. */
export const openTextDialog = ({
  title,
  size,
  ...options
}: Options & Readonly<{ title: string; size?: string }>): void =>
  openForm(title, (onClose) => <TextForm {...options} onClose={onClose} />, size ? { size } : {});

function TextForm({
  text,
  bounds = { min: 10, max: 500 },
  onClose,
  ...options
}: Options & Readonly<{ onClose(): void }>) {
  const {
    label = "The reason, for the record",
    name = "reason",
    confirm,
    busy = "Sending...",
    tone,
    send,
    done,
  } = options;
  const form = useApiForm({
    initialValues: { [name]: "" },
    validate: { [name]: (typed) => lengthMessage(typed, bounds.min, options.missing) },
    send: (values) => send(values[name] ?? ""),
    done,
    onClose,
  });
  return (
    <DialogForm text={text} form={form} submit={confirm} busyLabel={busy} tone={tone} onClose={onClose}>
      <Textarea
        label={label}
        description={options.description}
        rows={options.rows ?? 3}
        maxLength={bounds.max}
        required
        data-autofocus
        {...form.field(name)}
      />
    </DialogForm>
  );
}
