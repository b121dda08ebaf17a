import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../../ui/button.tsx";
import type { BookingResponse } from "../status/progress.ts";

type Payable = Pick<BookingResponse, "id" | "currency" | "deposit_cents" | "balance_cents"> &
  Readonly<{ can: Pick<BookingResponse["can"], "pay"> }>;

type Props = Readonly<{
  booking: Payable;
  primary?: boolean;
  size?: "sm" | undefined;
  hasAmount?: boolean;
}>;

/** A link that opens the payment in a new tab, because popup blockers allow links. This page updates automatically. */
export function PayButton({ booking, primary = true, size, hasAmount = true }: Props) {
  const { pay } = booking.can;
  if (!pay) return null;
  return (
    <LinkButton
      size={size}
      tone={primary ? "main" : "line"}
      href={paths.pay(booking.id, pay)}
      target="_blank"
      rel="noopener"
    >
      {pay === "deposit" ? "Pay Deposit" : "Pay Balance"}
      {hasAmount
        ? ` ${formatMoney(pay === "deposit" ? booking.deposit_cents : booking.balance_cents, booking.currency)}`
        : null}
      <span className="sr"> (opens in a new tab)</span>
    </LinkButton>
  );
}
