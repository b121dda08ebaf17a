import { bookingStatusLabel } from "#bookings/rules.ts";
import kinds from "./kinds.module.css";

const shows = ["deposit_paid", "contract_sent", "contract_signed", "completed"] as const;

const entries = [
  { kind: undefined, label: "Free" },
  { kind: "request", label: "Request" },
  { kind: "hold", label: "On hold" },
  { kind: "show", label: "Booked" },
  ...shows.map((kind) => ({ kind, label: bookingStatusLabel(kind) })),
  { kind: "blocked", label: "Blocked" },
  { kind: "external", label: "Other calendar" },
] as const;

type LegendKind = NonNullable<(typeof entries)[number]["kind"]>;

/** The kinds that each calendar lacks. A month has the status of its shows. */
const absent: Readonly<Record<"artist" | "promoter" | "week", readonly LegendKind[]>> = {
  artist: ["show"],
  promoter: ["show", "blocked", "external"],
  week: shows,
};

export const CalendarLegend = ({ of }: Readonly<{ of: keyof typeof absent }>) => (
  <ul className={`${kinds.kinds} ${kinds.legend}`} aria-label="Colors">
    {entries
      .filter(({ kind }) => !kind || !absent[of].includes(kind))
      .map(({ kind, label }) => (
        <li key={label}>
          <span data-kind={kind}>{label}</span>
        </li>
      ))}
  </ul>
);
