/** A form of one text. Plain elements, because guests use it on a public page. */

import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { useTextForm } from "../use-text-form.ts";
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
  const { busy, error, fieldError, onSubmit } = useTextForm({ name, min: bounds.min, send });
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
