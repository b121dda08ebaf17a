import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { ListFailed } from "../lists/list-states.tsx";
import { PageHead } from "../page-head.tsx";
import { type PageTab, PageTabs } from "../page-tabs.tsx";
import { Loaded, type Query } from "../section-failed.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SettingsLoading, SettingsSheet } from "./settings-sheet.tsx";
import type { useSettingsForm } from "./use-settings-form.ts";
import styles from "./settings.module.css";

type TabsProps<Tab extends string> = Readonly<{
  title: string;
  tabs: Readonly<Record<Tab, string>>;
  more?: PageTab | undefined;
  current: string;
  address(tab?: string): string;
}>;

type Props<T, Tab extends string> = Omit<TabsProps<Tab>, "current"> &
  Readonly<{ query: Query<T>; children(stored: T, tab: Tab): ReactNode }>;

export function SettingsHead<Tab extends string>({ title, tabs, more, current, address }: TabsProps<Tab>) {
  const names = Object.keys(tabs) as Tab[];
  const own = names.map((name, at) => ({ name, label: tabs[name], to: address(at === 0 ? undefined : name) }));
  return (
    <>
      <PageHead title={title} />
      <PageTabs label={title} current={current} tabs={more ? [...own, more] : own} />
    </>
  );
}

/** An unknown tab in the address is the first one. The tabs share one form, so a tab change loses no input. */
export function SettingsPage<T, Tab extends string>({ title, tabs, more, address, query, children }: Props<T, Tab>) {
  const [search] = useSearchParams();
  const names = Object.keys(tabs) as Tab[];
  const requestedTab = search.get("tab");
  const current = names.find((name) => name === requestedTab) ?? (names[0] as Tab);
  return (
    <div className={styles.page}>
      <SettingsHead title={title} tabs={tabs} more={more} current={current} address={address} />
      <Loaded
        query={query}
        what={title}
        loading={<SettingsLoading what="the settings" fields={[2, 1, 1]} />}
        Failed={ListFailed}
      >
        {(stored) => children(stored, current)}
      </Loaded>
    </div>
  );
}

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
