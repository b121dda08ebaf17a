import kinds from "./kinds.module.css";

const entries = [
  { kind: undefined, label: "Free" },
  { kind: "request", label: "Request" },
  { kind: "hold", label: "On hold" },
  { kind: "show", label: "Booked" },
  { kind: "blocked", label: "Blocked" },
  { kind: "external", label: "Other calendar" },
] as const;

export const CalendarLegend = () => (
  <ul className={`${kinds.kinds} ${kinds.legend}`} aria-label="Colors">
    {entries.map(({ kind, label }) => (
      <li key={label}>
        <span data-kind={kind}>{label}</span>
      </li>
    ))}
  </ul>
);
