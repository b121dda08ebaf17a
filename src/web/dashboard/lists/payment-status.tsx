import { displayedPaymentStatus, paymentLabel } from "#payments/rules.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Props = Readonly<{ payment: Parameters<typeof displayedPaymentStatus>[0] }>;

/** A badge only marks a payment that did not succeed. */
export const PaymentStatus = ({ payment }: Props) =>
  payment.status === "succeeded" ? (
    paymentLabel("succeeded")
  ) : (
    <StatusBadge entity="payment" value={displayedPaymentStatus(payment)} />
  );
