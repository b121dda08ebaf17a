/** A form of one text. Plain elements, because guests use it on a public page. */
import { ErrorNote } from "../../ui/error-note.tsx";
import { type FormEvent, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { focusFirstInvalid, lengthMessage, textOf, type ValidationMessages } from "../../lib/form-validation.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import styles from "./reviews.module.css";

type Props = Readonly<{
  name: string;
  label: string;
  hint: string;
  bounds: Readonly<{ min: number; max: number }>;
  submit: string;
  busyLabel: string;
  send(text: string): Promise<unknown>;
  onCancel(): void;
}>;

export function TextForm({ name, label, hint, bounds, submit, busyLabel, send, onCancel }: Props) {
  const { busy, error, fieldError, onSubmit } = useTextForm({ name, bounds, label, send });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <TextArea label={label} name={name} hint={hint} rows={3} maxLength={bounds.max} error={fieldError} />
      <ErrorNote message={error} className={styles.error} />
      <div className={styles.actions}>
        <Button type="submit" size="sm" busy={busy} busyLabel={busyLabel}>
          {submit}
        </Button>
        <Button tone="line" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

export function useTextForm(form: {
  name: string;
  label: string;
  bounds: Props["bounds"];
  /** Returns the messages of the other fields, by name. */
  check?: (data: FormData) => ValidationMessages<string>;
  send(text: string, data: FormData): Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [fieldError, setFieldError] = useState<string>();
  const submit = async (element: HTMLFormElement) => {
    const data = new FormData(element);
    const text = textOf(data, form.name);
    const message = lengthMessage(text, form.bounds.min, `Enter at least ${form.bounds.min} characters.`);
    setFieldError(message);
    const messages = { ...form.check?.(data), ...(message ? { [form.name]: message } : {}) };
    if (Object.keys(messages).length > 0) return focusFirstInvalid(element, messages);
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await form.send(text, data);
    } catch (failure) {
      setError(apiErrorOf(failure).message);
    }
    setBusy(false);
  };
  return {
    busy,
    error,
    fieldError,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
