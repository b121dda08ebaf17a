import { Switch } from "../switch.tsx";
import { NotificationTargets } from "./notification-targets.tsx";
import { SettingsSection } from "./settings-sheet.tsx";
import styles from "./settings.module.css";

type MatrixCell<Name extends string> = Name | Readonly<{ words: string }>;

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

function SwitchMatrix<Name extends string>({ rows, isOn, onChange }: MatrixProps<Name>) {
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
                {typeof cell === "object" ? (
                  <small>{cell.words}</small>
                ) : (
                  <label htmlFor={cell}>
                    <Switch
                      name={cell}
                      label={`${label} by ${channel}`}
                      checked={isOn(cell)}
                      onChange={(on) => onChange(cell, on)}
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

type NotificationsProps<Name extends string> = Readonly<{
  rows: readonly MatrixRow<Name>[];
  form: Readonly<{ isOn(name: Name): boolean; set(name: Name, on: boolean): void }>;
}>;

export const NotificationsSection = <Name extends string>({ rows, form }: NotificationsProps<Name>) => (
  <SettingsSection title="What we send you" why={<NotificationTargets />}>
    <SwitchMatrix rows={rows} isOn={form.isOn} onChange={form.set} />
  </SettingsSection>
);
