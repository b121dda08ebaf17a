import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../ui/button.tsx";

type Payable = Readonly<{ id: string; can: Readonly<{ pay: "deposit" | "balance" | null }> }>;

const labels = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

/** A link that opens the payment beside this page, safe from popup blockers. `primary`: the one filled button. */
export function PayButton({ booking, primary }: Readonly<{ booking: Payable; primary: boolean }>) {
  const kind = booking.can.pay;
  if (!kind) return null;
  return (
    <a
      className={buttonClass({ size: "sm", tone: primary ? "main" : "line" })}
      href={paths.pay(booking.id, kind)}
      target="_blank"
      rel="noopener"
    >
      {labels[kind]}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
