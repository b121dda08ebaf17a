/** Dates and amounts as dashboards write them. A calendar date is a text and is never shifted by a zone. */

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** "2027-02-13" as "Sat 13 Feb 2027"; a text that is no date stays as it is. */
export function shortDay(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const weekday = weekdays[new Date(Date.UTC(year, month - 1, date)).getUTCDay()];
  const name = months[month - 1];
  return weekday && name ? `${weekday} ${date} ${name} ${year}` : day;
}

/** Cents as money; whole amounts without cents when `whole` (overviews), else always two decimals. */
export function money(cents: number, currency: string, style: "whole" | "exact" = "whole"): string {
  const digits = style === "whole" && cents % 100 === 0 ? 0 : 2;
  const format = { style: "currency", currency: currency.toUpperCase(), minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat("en-US", format).format(cents / 100);
}

/** Several sums, one per currency, in one line. Nothing at all is a zero of the given currency. */
export const moneySums = (sums: readonly { currency: string; amount: number }[], currency = "usd"): string =>
  sums.length === 0 ? money(0, currency) : sums.map((sum) => money(sum.amount, sum.currency)).join(" + ");
