import { type FocusEvent, lazy, Suspense, useId, useRef, useState } from "react";
import { formatWeekdayDate } from "#platform/time/days.rules.ts";
import { TextField } from "../fields/field.tsx";
import type { DayLimits } from "./day-limits.ts";
import styles from "./date-field.module.css";

const DayPanel = lazy(() => import("./day-panel.tsx"));
/** Loads the parser on first use, because few visitors type a date. */
const readDay = async (...typed: Parameters<typeof import("./typed-day.ts").readDay>) =>
  (await import("./typed-day.ts")).readDay(...typed);

type Props = Readonly<{
  label: string;
  visible?: string;
  name: string;
  defaultValue: string | undefined;
  error?: string | undefined;
  required?: boolean;
  form?: string;
  "data-path"?: string | undefined;
  "data-autofocus"?: true | undefined;
  autoFocus?: boolean | undefined;
  /** The days that can be chosen, by default today and later. Called in the browser, because the server does not know today. */
  limitsOf?: ((today: string) => DayLimits) | undefined;
  /** The word for no day, and the button that empties the field: a touch opens no keyboard. */
  clearLabel?: string;
  /** Called with a chosen or fully typed day, or "" if the field was emptied. */
  onPick(day: string, field: HTMLInputElement): void;
}>;

const isUnread = ({ value, dataset }: HTMLInputElement) => dataset["day"] === "" && value.trim() !== "";

/** Shows a day in a date field, or empties it. Does not change a focused field or unreadable text. */
export function showDay(field: HTMLInputElement, day: string | undefined): void {
  if (field === document.activeElement || (!day && isUnread(field))) return;
  field.value = day ? formatWeekdayDate(day) : "";
  field.dataset["day"] = day ?? "";
}

export async function findUnreadableDay(form: HTMLFormElement): Promise<HTMLInputElement | undefined> {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement) || !isUnread(control)) continue;
    const day = await readDay(control.value, true);
    if (!day) return control;
    control.dataset["day"] = day;
  }
  return undefined;
}

/** The value is a formatted day or the typed text. `data-day` is the recognized day (YYYY-MM-DD) or empty. Forms read the value with `readTypedDay`. */
export function DateField({ limitsOf, onPick, defaultValue, error, label, visible, clearLabel, ...field }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<string>();
  const [entries, setEntries] = useState(0);
  const [unreadable, setUnreadable] = useState<string>();
  const picked = useRef("");

  const input = () => root.current?.querySelector("input") ?? undefined;
  const pick = (day: string) => {
    const control = input();
    if (!control) return;
    picked.current = day;
    control.dataset["day"] = day;
    setUnreadable(undefined);
    onPick(day, control);
  };
  const understood = ({ value, dataset }: HTMLInputElement) =>
    dataset["day"] || value.trim() === "" ? (dataset["day"] ?? "") : readDay(value, true, limitsOf);
  /** `times`: how often the keyboard entered the calendar. 0 leaves the focus in the field. */
  const open = async (control: HTMLInputElement, times: number) => {
    const found = understood(control);
    const day = found instanceof Promise ? await found : found;
    setShown(day || undefined);
    setEntries(times);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    input()?.focus();
  };
  const choose = (day: string) => {
    const control = input();
    if (control) control.value = day && formatWeekdayDate(day);
    pick(day);
    close();
  };
  const onInput = async (control: HTMLInputElement) => {
    const { value } = control;
    control.dataset["day"] = "";
    setUnreadable(undefined);
    const day = await readDay(value, false);
    if (control.value !== value) return;
    setShown(day);
    if (day) pick(day);
  };
  const onLeave = async (control: HTMLInputElement) => {
    const { value } = control;
    const found = understood(control);
    const day = found instanceof Promise ? await found : found;
    if (control.value !== value) return;
    if (day === undefined) return setUnreadable((await import("./typed-day.ts")).unreadableMessage());
    if (day) control.value = formatWeekdayDate(day);
    if (day !== picked.current) pick(day);
  };
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (currentTarget.contains(relatedTarget)) return;
    setOpen(false);
    const control = target instanceof HTMLInputElement ? target : input();
    if (control) void onLeave(control);
  };
  return (
    <div ref={root} className={styles.field} onBlur={onBlur}>
      <TextField
        {...field}
        label={
          visible ? (
            <>
              {visible}
              <span className="sr">{label.slice(visible.length)}</span>
            </>
          ) : (
            label
          )
        }
        error={unreadable ?? error}
        type="text"
        role="combobox"
        autoComplete="off"
        placeholder={clearLabel ?? "Choose or type a date"}
        data-day={defaultValue ?? ""}
        data-mantine-stop-propagation={isOpen}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        defaultValue={defaultValue ? formatWeekdayDate(defaultValue) : ""}
        // A touch opens the calendar, which the keyboard would cover.
        onPointerDown={({ pointerType, currentTarget }) => {
          currentTarget.inputMode = pointerType === "touch" ? "none" : "";
        }}
        onClick={({ currentTarget }) => void open(currentTarget, 0)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void onLeave(event.currentTarget);
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          void open(event.currentTarget, entries + 1);
        }}
        onFocus={({ currentTarget }) => {
          picked.current = currentTarget.dataset["day"] ?? "";
          void import("./typed-day.ts");
        }}
        onInput={({ currentTarget }) => void onInput(currentTarget)}
      />
      {isOpen ? (
        <Suspense>
          <DayPanel
            id={id}
            label={`${label}: calendar`}
            limitsOf={limitsOf}
            chosen={shown}
            entries={entries}
            clearLabel={shown ? clearLabel : undefined}
            onChoose={choose}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
