import type { ReactNode } from "react";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import { Switch, type SwitchProps } from "../switch.tsx";
import styles from "./settings.module.css";

export const SettingsSheet = ({ children }: Readonly<{ children: ReactNode }>) => (
  <div className={styles.sheet}>{children}</div>
);

type SectionProps = Readonly<{
  title: string;
  why: ReactNode;
  wide?: boolean;
  children: ReactNode;
}>;

export function SettingsSection({ title, why, wide = false, children }: SectionProps) {
  return (
    <section>
      <div>
        <h2>{title}</h2>
        <p className={styles.why}>{why}</p>
      </div>
      <div className={wide ? `${styles.body} ${styles.wide}` : styles.body}>{children}</div>
    </section>
  );
}

type LoadingProps = Readonly<{ what: string; fields: readonly number[] }>;

export const SettingsLoading = (props: LoadingProps) => (
  <SettingsSheet>
    <SectionsLoading {...props} />
  </SettingsSheet>
);

export function SectionsLoading({ what, fields }: LoadingProps) {
  return (
    <>
      <LoadingStatus what={what} />
      {fields.map((lines, at) => (
        <section key={at} aria-hidden>
          <div>
            <Skeleton height="1.5rem" width="60%" />
            <Skeleton height="0.8rem" width="90%" mt="0.7rem" />
          </div>
          <div className={styles.body}>
            {Array.from({ length: lines }, (_, line) => (
              <Skeleton key={line} height="2.75rem" />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

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
