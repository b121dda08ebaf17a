import type { ReactNode } from "react";
import { Switch, type SwitchProps } from "../switch.tsx";
import styles from "./settings.module.css";

type RowProps = Omit<SwitchProps, "describedBy"> & Readonly<{ name: string; description: ReactNode }>;

export function SwitchRow({ description, ...field }: RowProps) {
  const id = `${field.name}-description`;
  return (
    <label className={styles.switch} htmlFor={field.name}>
      <span>
        <strong>{field.label}</strong>
        <small id={id}>{description}</small>
      </span>
      <Switch {...field} describedBy={id} />
    </label>
  );
}

type MatrixCell<Name extends string> = { readonly setting: Name } | { readonly words: string };

export type MatrixRow<Name extends string> = Readonly<{
  label: string;
  more: string;
  email: MatrixCell<Name>;
  sms: MatrixCell<Name>;
}>;

type MatrixProps<Name extends string> = Readonly<{
  rows: readonly MatrixRow<Name>[];
  isOn(name: Name): boolean;
  onChange(name: Name, on: boolean): void;
}>;

export function SwitchMatrix<Name extends string>({ rows, isOn, onChange }: MatrixProps<Name>) {
  return (
    <table className={styles.matrix}>
      <caption className="sr">Notifications by kind and channel</caption>
      <thead>
        <tr>
          <th scope="col">About</th>
          <th scope="col">Email</th>
          <th scope="col">SMS</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, more, email, sms }) => (
          <tr key={label}>
            <th scope="row">
              {label}
              <small>{more}</small>
            </th>
            {(
              [
                ["email", email],
                ["SMS", sms],
              ] as const
            ).map(([channel, cell]) => (
              <td key={channel}>
                {"words" in cell ? (
                  <small>{cell.words}</small>
                ) : (
                  <label htmlFor={cell.setting}>
                    <Switch
                      name={cell.setting}
                      label={`${label} by ${channel}`}
                      checked={isOn(cell.setting)}
                      onChange={(on) => onChange(cell.setting, on)}
                    />
                  </label>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
