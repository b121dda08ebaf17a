import { displayedPaymentStatus, paymentLabel, paymentStatuses } from "#payments/rules.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";

export const PaymentStatus = ({ payment }: Readonly<{ payment: Parameters<typeof displayedPaymentStatus>[0] }>) =>
  payment.status === "succeeded" ? (
    paymentLabel("succeeded")
  ) : (
    <StatusBadge entity="payment" value={displayedPaymentStatus(payment)} />
  );

/** The status filter of the payment lists. The list of failed payments includes those that are displayed as not paid. */
export const byPaymentStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: Object.entries({ ...paymentStatuses, failed: "Failed or not paid" }).map(([value, label]) => ({
    value,
    label,
  })),
};
