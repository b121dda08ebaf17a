import { type ComponentProps, useState } from "react";
import { controlProps, FieldLayout, type FieldProps } from "./field.tsx";
import styles from "./upload.module.css";

export function FileField({ label, name, hint, error, onChange, ...input }: FieldProps & ComponentProps<"input">) {
  const [chosen, setChosen] = useState("");
  return (
    <FieldLayout {...{ label, name, hint, error }}>
      <span className={`in ${styles.file}`}>
        <span className="btn line sm" aria-hidden>
          Choose file
        </span>
        <span className={styles.chosen} title={chosen || undefined} aria-hidden>
          {chosen || "No file chosen"}
        </span>
        <input
          {...controlProps({ name, hint, error })}
          {...input}
          type="file"
          onChange={(event) => {
            setChosen(event.currentTarget.files?.[0]?.name ?? "");
            onChange?.(event);
          }}
        />
      </span>
    </FieldLayout>
  );
}
