/** The promoter's consent to the automatic charge of the balance. The text is displayed at the checkbox and stored unchanged. */

import { formatMoney } from "#platform/money.rules.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";

export const consentTextVersion = 1;

/** `amount` is in cents. `dueDay` is YYYY-MM-DD in the event's zone, or null if the balance is due once both have signed. */
export type ConsentTerms = Readonly<{ amount: number; currency: string; dueDay: string | null }>;

export function consentText({ amount, currency, dueDay }: ConsentTerms): string {
  const sum = formatMoney(amount, currency);
  const when = dueDay
    ? `on ${describeDay(dueDay)}, or once we have both signed if that is later`
    : "once we have both signed";
  return `Charge the balance of ${sum} automatically to the card that pays the deposit, ${when}. I can withdraw this at any time until then.`;
}
