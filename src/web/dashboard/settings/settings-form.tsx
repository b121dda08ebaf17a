import type { ReactNode } from "react";
import { SaveBar } from "./save-bar.tsx";
import { SettingsSheet } from "./settings-sheet.tsx";
import type { useSettingsForm } from "./use-settings-form.ts";

type FormOf = ReturnType<typeof useSettingsForm>;

export const SettingsForm = ({
  form,
  children,
}: Readonly<{ form: Pick<FormOf, "props" | "bar">; children: ReactNode }>) => (
  <form {...form.props}>
    <SettingsSheet>{children}</SettingsSheet>
    <SaveBar save="Save Settings" {...form.bar} />
  </form>
);
