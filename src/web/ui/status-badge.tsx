import "./status.css";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { contractLabel } from "#contracts/rules.ts";
import { paymentLabel } from "#payments/rules.ts";
import { capitalized } from "#platform/text.rules.ts";

type Tone = "" | "gold" | "blue" | "lilac" | "green" | "cherry";
type StatusStyle = readonly [tone: Tone, done: number, label?: string];

const statusStyles = {
  booking: {
    initiated: ["", 0],
    deposit_paid: ["gold", 25],
    contract_sent: ["blue", 50],
    contract_signed: ["lilac", 75],
    completed: ["green", 100],
    canceled: ["cherry", 0],
  },
  contract: { draft: ["", 0], sent: ["blue", 50], signed: ["green", 100], declined: ["cherry", 0], void: ["", 0] },
  payment: {
    requires_payment_method: ["gold", 50],
    succeeded: ["green", 100],
    failed: ["cherry", 0],
    not_paid: ["", 0],
    refunded: ["", 100],
  },
  connect: {
    not_started: ["", 0, "Not started"],
    pending: ["gold", 50, "Pending"],
    completed: ["green", 100, "Completed"],
    restricted: ["cherry", 0, "Restricted"],
  },
  payout: {
    held: ["blue", 25],
    pending: ["gold", 50],
    frozen: ["cherry", 50],
    in_transit: ["lilac", 75],
    paid: ["green", 100],
    failed: ["cherry", 0],
    reversed: ["", 100],
  },
  dispute: {
    inquiry: ["gold", 25, "Bank inquiry"],
    open: ["cherry", 25, "Needs an answer"],
    review: ["blue", 75, "The bank decides"],
    won: ["green", 100, "Won"],
    lost: ["cherry", 0, "Lost"],
    closed: ["", 100, "Closed"],
  },
  log: {
    booking: ["blue", 100],
    contract: ["lilac", 100],
    payment: ["green", 100],
    notification: ["", 100],
    system: ["", 100],
  },
} as const satisfies Record<string, Record<string, StatusStyle>>;

type StatusEntity = keyof typeof statusStyles;

const labels: Partial<Record<StatusEntity, (value: string) => string>> = {
  booking: bookingStatusLabel,
  contract: contractLabel,
  payment: paymentLabel,
  payout: (value) => capitalized(value.replaceAll("_", " ")),
};

export function StatusBadge({ entity, value }: Readonly<{ entity: StatusEntity; value: string }>) {
  const known: Record<string, StatusStyle | undefined> = statusStyles[entity];
  const [tone, done, label = value] = known[value] ?? ["", 0];
  return (
    <span className={tone ? `badge ${tone}` : "badge"} data-done={done}>
      {labels[entity]?.(value) ?? label}
    </span>
  );
}
