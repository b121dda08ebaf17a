import { bookingStatusLabel } from "#bookings/rules.ts";
import kinds from "./kinds.module.css";

const shows = ["deposit_paid", "contract_sent", "contract_signed", "completed"] as const;

const entries = [
  { kind: "request", label: bookingStatusLabel("initiated") },
  { kind: "hold", label: "On hold" },
  ...shows.map((kind) => ({ kind, label: bookingStatusLabel(kind) })),
  { kind: "blocked", label: "Blocked" },
  { kind: "external", label: "Other calendar" },
];

export function CalendarLegend({ shown }: Readonly<{ shown: readonly string[] }>) {
  const known = entries.filter(({ kind }) => shown.includes(kind));
  if (known.length === 0) return null;
  return (
    <ul className={`${kinds.kinds} ${kinds.legend}`} aria-label="Colors">
      {known.map(({ kind, label }) => (
        <li key={kind}>
          <span data-kind={kind}>{label}</span>
        </li>
      ))}
    </ul>
  );
}
