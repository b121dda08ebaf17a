import { oneLine } from "#delivery/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatDay, formatDayAndMonth, describeDay, formatInstant } from "#platform/time/calendar.rules.ts";

export type Money = { amount: number; currency: string };

export const money = ({ amount, currency }: Money): string => formatMoney(amount, currency);

/** Where every refund goes: the payer may be another person than the promoter. */
export const paidCard = "the card it was paid with";

/** Another payer than the promoter, who is not named to the promoter. */
export const otherPayer = "the person who paid by your payment link";

export const refundText = (amount: Money, inTwo = false): string =>
  `We refund ${money(amount)} to ${paidCard}${inTwo ? ", in two parts: of the deposit and of the balance" : ""}. Banks take 5 to 10 days to show it.`;

/** `waiting` cannot be sent until a dispute of its payment has ended. */
export const refundDuringDisputeText = (refund: Money, waiting: Money): string => {
  const now = { ...refund, amount: refund.amount - waiting.amount };
  return `${now.amount > 0 ? `${refundText(now)} ` : ""}${money(waiting)} of the refund waits, because the payment is disputed at the payer's bank. We refund it when the dispute has ended, unless the bank returns it to the payer.`;
};

export const waitingRefundText = (waiting: Money | null | undefined): string =>
  waiting
    ? `, but ${money(waiting)} of it only when a dispute of the payment has ended, unless the bank returns it to the payer`
    : "";

/** Returns "Saturday 13 February 2027" for a calendar date (YYYY-MM-DD). */
export const longDay = (date: string): string => describeDay(date.slice(0, 10));

/** Returns "Saturday 13 February", for a subject line. */
export const day = (date: string): string => formatDay(date.slice(0, 10));

/** Returns "13 Feb". */
export const shortDay = (date: string): string => formatDayAndMonth(date.slice(0, 10), { short: true });

/** Returns the name for the greeting, or undefined if it looks like an advertisement: a stranger may have typed it. */
export function greetingName(name: string | null | undefined): string | undefined {
  const flat = oneLine(name ?? "", 80);
  return flat === "" || /[:/@<>]|www\.|\w\.\w{2}/i.test(flat) ? undefined : flat;
}

/** When the artist's part of a canceled booking is paid out. `disputed`: it waits for the bank's decision. */
export const payableText = ({ from, timeZone, disputed }: { from: Date; timeZone: string; disputed: boolean }) =>
  disputed
    ? "A payment of this booking is disputed. Until the bank has decided, nothing is paid out. A lost dispute reduces this amount."
    : `It is paid out from ${formatInstant(from, timeZone)}, once refunds are confirmed.`;
