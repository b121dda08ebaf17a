import { useState } from "react";
import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { comingDays, daysBetween } from "../../ui/date-field/day-limits.ts";
import { PanelMonths } from "../../ui/date-field/panel-months.ts";
import styles from "./form-date-field.module.css";

type Props<Name extends string> = Readonly<{
  form: Readonly<{
    field(name: Name): object;
    setValue(name: Name, value: string): void;
    values: Record<Name, string>;
  }>;
  name: Name;
  label: string;
  /** Where the date belongs, for the days of the calendar and a typed day without a year. */
  today: string;
  days?: Readonly<{ from: string; to: string }>;
  isFirst?: boolean;
  autoFocus?: boolean;
}>;

/** The form's value is the typed text or the chosen day. `typedDay` reads both. */
export function FormDateField<Name extends string>({ form, name, label, today, days, ...focus }: Props<Name>) {
  const { error, "data-path": path } = form.field(name) as { error?: string; "data-path"?: string };
  const [first] = useState(form.values[name]);
  return (
    <div
      role="presentation"
      className={styles.field}
      onInput={(event) => event.target instanceof HTMLInputElement && form.setValue(name, event.target.value)}
      // Escape in the calendar closes only the calendar.
      onFocus={({ target }) => target.matches("button") && target.setAttribute("data-mantine-stop-propagation", "true")}
    >
      <PanelMonths value={1}>
        <DateField
          label={label}
          name={path ?? name}
          defaultValue={first}
          error={error}
          data-path={path}
          data-autofocus={focus.isFirst || undefined}
          autoFocus={focus.autoFocus}
          limitsOf={() => (days ? daysBetween(today, days.from, days.to) : comingDays(today))}
          onPick={(day) => form.setValue(name, day)}
        />
      </PanelMonths>
    </div>
  );
}

/** Returns YYYY-MM-DD, or "". Without a year it is the next such day from `today`. */
export const typedDay = (text: string, today: string): string => readTypedDay(text, today) ?? "";
