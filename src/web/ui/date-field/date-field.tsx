/** A date: typed in many ways, or chosen in the calendar that opens below the field and lies over the page. */
import { type FocusEvent, lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { readTypedDay, writtenDay } from "#platform/time/typed-day.rules.ts";
import { localToday } from "../../lib/format/dates.ts";
import { useMediaQuery } from "../../lib/use-media-query.ts";
import { TextField } from "../field.tsx";
import type { DayLimits } from "./day-limits.ts";
import styles from "./date-field.module.css";

const DayCalendar = lazy(() => import("./day-calendar.tsx"));

type Props = Readonly<{
  label: string;
  name: string;
  /** YYYY-MM-DD, or empty. */
  defaultValue: string | undefined;
  error?: string | undefined;
  required?: boolean;
  form?: string;
  /** The days that can be chosen. Called in a browser, which alone knows today. */
  limitsOf(today: string): DayLimits;
  /** Called with a day that was chosen or typed in full, or with "" when the field was emptied. */
  onPick(day: string, field: HTMLInputElement): void;
}>;

/** Its value is a day as `writtenDay` writes it, or what was typed. Forms read it with `readTypedDay`. */
export function DateField({ limitsOf, onPick, defaultValue, ...field }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<string>();
  // A touch opens the calendar; the keyboard would cover it.
  const isTouch = useMediaQuery("(pointer: coarse)");
  const lastPicked = useRef<string>("");
  const entersCalendar = useRef(false);

  const input = () => root.current?.querySelector("input");
  const pick = (day: string) => {
    const control = input();
    if (!control) return;
    lastPicked.current = day;
    onPick(day, control);
  };
  const open = (entering: boolean) => {
    entersCalendar.current = entering;
    setShown(readTypedDay(input()?.value ?? "", localToday()));
    setOpen(true);
    if (isOpen && entering) enter();
  };
  const enter = () => {
    // At the foot of the window the calendar is brought into sight.
    root.current?.querySelector('[role="dialog"]')?.scrollIntoView?.({ block: "nearest" });
    if (entersCalendar.current) root.current?.querySelector<HTMLElement>('[data-date][tabindex="0"]')?.focus();
    entersCalendar.current = false;
  };
  const choose = (day: string) => {
    const control = input();
    if (control) control.value = writtenDay(day);
    pick(day);
    setOpen(false);
    control?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      root.current?.querySelector("input")?.focus();
    };
    document.addEventListener("keydown", onEscape);
    return () => document.removeEventListener("keydown", onEscape);
  }, [isOpen]);
  /** Writes what was typed as it was understood. */
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (target instanceof HTMLInputElement) {
      const day = readTypedDay(target.value, localToday());
      if (day) target.value = writtenDay(day);
      const isEmpty = target.value.trim() === "";
      if ((day || isEmpty) && (day ?? "") !== lastPicked.current) pick(day ?? "");
    }
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div ref={root} className={styles.field} onBlur={onBlur}>
      <TextField
        {...field}
        type="text"
        role="combobox"
        autoComplete="off"
        inputMode={isTouch ? "none" : undefined}
        placeholder="Choose or type a date"
        data-day=""
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        defaultValue={defaultValue ? writtenDay(defaultValue) : ""}
        onClick={() => open(false)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open(true);
        }}
        onFocus={(event) => {
          lastPicked.current = readTypedDay(event.currentTarget.value) ?? "";
        }}
        onInput={(event) => {
          const day = readTypedDay(event.currentTarget.value);
          setShown(day);
          if (day) pick(day);
        }}
      />
      {isOpen ? (
        <div id={id} role="dialog" aria-label={`${field.label}: calendar`} className={`sheet ${styles.panel}`}>
          <Suspense fallback={<div className={styles.waiting} />}>
            <DayCalendar limitsOf={limitsOf} chosen={shown} onChoose={choose} onShown={enter} />
          </Suspense>
        </div>
      ) : null}
    </div>
  );
}
