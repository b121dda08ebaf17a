import { useContext, useEffect, useRef } from "react";
import { Button } from "../button.tsx";
import DayCalendar from "./day-calendar.tsx";
import { type DayLimits, comingDays } from "./day-limits.ts";
import { PanelMonths } from "./panel-months.ts";
import styles from "./day-panel.module.css";

type Props = Readonly<{
  id: string;
  label: string;
  limitsOf: ((today: string) => DayLimits) | undefined;
  chosen: string | undefined;
  entries: number;
  clearLabel: string | undefined;
  onChoose(day: string): void;
  onClose(): void;
}>;

export default function DayPanel({ id, label, limitsOf = comingDays, clearLabel, onChoose, onClose, ...props }: Props) {
  const { chosen, entries } = props;
  const root = useRef<HTMLDivElement>(null);
  const months = useContext(PanelMonths);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    root.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  useEffect(() => {
    if (entries > 0) root.current?.querySelector<HTMLElement>('[data-date][tabindex="0"]')?.focus();
  }, [entries]);
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    document.addEventListener("keydown", onEscape);
    return () => document.removeEventListener("keydown", onEscape);
  });
  return (
    <div ref={root} id={id} role="dialog" aria-label={label} className={`sheet ${styles.panel}`}>
      <DayCalendar limitsOf={limitsOf} chosen={chosen} onChoose={onChoose} months={months} />
      {clearLabel ? (
        <Button tone="line" size="sm" onClick={() => onChoose("")}>
          {clearLabel}
        </Button>
      ) : null}
    </div>
  );
}
