/** The link that pays what is due on a booking now. */
import { paths } from "../paths.ts";
import { buttonClass } from "../ui/button.tsx";

type Payable = Readonly<{ id: string; can: Readonly<{ pay: "deposit" | "balance" | null }> }>;

const words = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

/**
 * A real link, so that no blocker of pop-ups stops it. It opens beside this page, which reads its list anew when the
 * person comes back to it. Nothing to pay: nothing is drawn.
 */
export function PayButton({ booking }: Readonly<{ booking: Payable }>) {
  const kind = booking.can.pay;
  if (!kind) return null;
  return (
    <a className={buttonClass({ size: "sm" })} href={paths.pay(booking.id, kind)} target="_blank" rel="noopener">
      {words[kind]}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
