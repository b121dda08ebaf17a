/** A status as a colored note. The disc fills like a moon, and bad ends show a cross. */
import "./status.css";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { contractLabel } from "#contracts/rules.ts";
import { paymentLabel } from "#payments/rules.ts";

type Tone = "" | "gold" | "blue" | "lilac" | "green" | "cherry";
type StatusStyle = readonly [tone: Tone, done: number];

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
    not_started: ["", 0],
    pending: ["gold", 50],
    completed: ["green", 100],
    restricted: ["cherry", 0],
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
    inquiry: ["gold", 25],
    open: ["cherry", 25],
    review: ["blue", 75],
    won: ["green", 100],
    lost: ["cherry", 0],
    closed: ["", 100],
  },
  log: {
    booking: ["blue", 100],
    contract: ["lilac", 100],
    payment: ["green", 100],
    notification: ["", 100],
    system: ["", 100],
  },
} as const satisfies Record<string, Record<string, StatusStyle>>;

export type StatusEntity = keyof typeof statusStyles;

const connectLabels: Readonly<Record<string, string>> = {
  not_started: "Not started",
  pending: "Pending",
  completed: "Completed",
  restricted: "Restricted",
};

const disputeLabels: Readonly<Record<string, string>> = {
  inquiry: "Bank inquiry",
  open: "Needs an answer",
  review: "The bank decides",
  won: "Won",
  lost: "Lost",
  closed: "Closed",
};

const labels: Record<StatusEntity, (value: string) => string> = {
  booking: bookingStatusLabel,
  contract: contractLabel,
  payment: paymentLabel,
  connect: (value) => connectLabels[value] ?? value,
  payout: (value) => `${value.charAt(0).toUpperCase()}${value.slice(1).replaceAll("_", " ")}`,
  dispute: (value) => disputeLabels[value] ?? value,
  log: (value) => value,
};

export function StatusBadge({ entity, value }: Readonly<{ entity: StatusEntity; value: string }>) {
  const known: Record<string, StatusStyle | undefined> = statusStyles[entity];
  const style = known[value];
  const [tone, done] = style ?? ["", 0];
  return (
    <span className={tone ? `badge ${tone}` : "badge"} data-done={done}>
      {labels[entity](value)}
    </span>
  );
}
