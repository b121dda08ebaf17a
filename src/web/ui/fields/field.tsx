import type { ComponentProps, ReactNode } from "react";

export type FieldProps = {
  label: ReactNode;
  name: string;
  hint?: ReactNode;
  error?: string | undefined;
  all?: boolean | undefined;
};

export function controlProps({ name, hint, error }: Pick<FieldProps, "name" | "hint" | "error">) {
  const described = [error ? `${name}-error` : "", hint ? `${name}-hint` : ""].filter(Boolean).join(" ");
  return {
    id: name,
    name,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": described || undefined,
  };
}

export function FieldLayout({ label, name, hint, error, all, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className={all ? "field all" : "field"}>
      <label htmlFor={name}>{label}</label>
      {children}
      {error ? (
        <small id={`${name}-error`} className="error">
          {error}
        </small>
      ) : null}
      {hint ? <small id={`${name}-hint`}>{hint}</small> : null}
    </div>
  );
}

export function TextField({ label, name, hint, error, all, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <FieldLayout {...{ label, name, hint, error, all }}>
      <input className="in" {...input} {...controlProps({ name, hint, error })} />
    </FieldLayout>
  );
}

export function TextArea({ label, name, hint, error, all, ...input }: FieldProps & ComponentProps<"textarea">) {
  return (
    <FieldLayout {...{ label, name, hint, error, all }}>
      <textarea className="in" {...input} {...controlProps({ name, hint, error })} />
    </FieldLayout>
  );
}

export function SelectField({
  label,
  name,
  hint,
  error,
  all,
  children,
  ...input
}: FieldProps & ComponentProps<"select">) {
  return (
    <FieldLayout {...{ label, name, hint, error, all }}>
      <select className="in" {...input} {...controlProps({ name, hint, error })}>
        {children}
      </select>
    </FieldLayout>
  );
}
