import type { ComponentProps, ReactNode } from "react";
import styles from "./field.module.css";

type Around = { label: string; name: string; hint?: ReactNode; error?: string | undefined; all?: boolean };

/** The attributes by which a control and its sentences belong together. */
function bound({ name, hint, error }: Pick<Around, "name" | "hint" | "error">) {
  const described = [error ? `${name}-error` : "", hint ? `${name}-hint` : ""].filter(Boolean).join(" ");
  return {
    id: name,
    name,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": described || undefined,
  };
}

function Frame({ label, name, hint, error, all, children }: Around & { children: ReactNode }) {
  return (
    <div className={all ? `field ${styles.all}` : "field"}>
      <label htmlFor={name}>{label}</label>
      {children}
      {error ? (
        <small id={`${name}-error`} className={styles.error}>
          {error}
        </small>
      ) : null}
      {hint ? <small id={`${name}-hint`}>{hint}</small> : null}
    </div>
  );
}

/** A line of text with its label, a hint, and a sentence when it is wrong. `all` spans the form's width. */
export function TextField({ label, name, hint, error, all, ...input }: Around & ComponentProps<"input">) {
  return (
    <Frame {...{ label, name, hint, error }} all={all ?? false}>
      <input className="in" {...input} {...bound({ name, hint, error })} />
    </Frame>
  );
}

/** Several lines of text. */
export function TextArea({ label, name, hint, error, all, ...input }: Around & ComponentProps<"textarea">) {
  return (
    <Frame {...{ label, name, hint, error }} all={all ?? false}>
      <textarea className="in" {...input} {...bound({ name, hint, error })} />
    </Frame>
  );
}

/** A choice from a list. */
export function SelectField({ label, name, hint, error, all, children, ...input }: Around & ComponentProps<"select">) {
  return (
    <Frame {...{ label, name, hint, error }} all={all ?? false}>
      <select className="in" {...input} {...bound({ name, hint, error })}>
        {children}
      </select>
    </Frame>
  );
}
