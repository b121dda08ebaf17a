import kinds from "./kinds.module.css";

const entries = [
  { kind: undefined, label: "Free" },
  { kind: "request", label: "Request" },
  { kind: "hold", label: "On hold" },
  { kind: "show", label: "Booked" },
  { kind: "blocked", label: "Blocked" },
  { kind: "external", label: "Other calendar" },
] as const;

export type LegendKind = NonNullable<(typeof entries)[number]["kind"]>;

/** Explains the colors of a month or week. `kinds` limits them to those that the viewer's calendar has. */
export const CalendarLegend = ({ kinds: shown }: Readonly<{ kinds?: readonly LegendKind[] }>) => (
  <ul className={`${kinds.kinds} ${kinds.legend}`} aria-label="Colors">
    {entries
      .filter(({ kind }) => !kind || !shown || shown.includes(kind))
      .map(({ kind, label }) => (
        <li key={label}>
          <span data-kind={kind}>{label}</span>
        </li>
      ))}
  </ul>
);
