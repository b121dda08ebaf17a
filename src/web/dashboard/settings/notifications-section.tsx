import { NotificationTargets } from "./notification-targets.tsx";
import { SettingsSection } from "./settings-sheet.tsx";
import { type MatrixRow, SwitchMatrix } from "./switches.tsx";

type Props<Name extends string> = Readonly<{
  rows: readonly MatrixRow<Name>[];
  form: Readonly<{ isOn(name: Name): boolean; set(name: Name, on: boolean): void }>;
}>;

export const NotificationsSection = <Name extends string>({ rows, form }: Props<Name>) => (
  <SettingsSection title="What we send you" why={<NotificationTargets />}>
    <SwitchMatrix rows={rows} isOn={form.isOn} onChange={form.set} />
  </SettingsSection>
);
