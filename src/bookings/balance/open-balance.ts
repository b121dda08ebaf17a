import type { Tx } from "#platform/db/index.ts";
import { type EmailContext, moneyOrNull } from "../emails/email-context.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { unpayableBalance } from "../rules/permissions.rules.ts";
import { plannedChargeForEmail } from "./automatic-payment.ts";

/** Returns the open balance for each side, with the automatic charge for the promoter only, or the reason why it cannot be paid. */
export async function openBalanceOf(tx: Tx, context: EmailContext) {
  const { booking, services } = context;
  const now = services.clock.now();
  const balance = booking.balance_paid_at === null ? moneyOrNull(context, booking.balance_cents) : null;
  const unpayable = unpayableBalance(booking, services.gateway !== null);
  if (unpayable) {
    const details = { balance, balanceDue: null, balanceUnpayable: unpayable, balanceCharge: null };
    return { promoter: details, artist: details };
  }
  const due = {
    balance,
    balanceDue: balanceDueDay(booking.event_date, booking.time_zone, now),
    balanceUnpayable: null,
  };
  return {
    promoter: { ...due, balanceCharge: await plannedChargeForEmail(tx, booking, now) },
    artist: { ...due, balanceCharge: null },
  };
}
