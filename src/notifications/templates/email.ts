import { oneLine } from "#delivery/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatDay, formatDayAndMonth, describeDay, formatInstant } from "#platform/time/calendar.rules.ts";

export type EmailContent = {
  subject: string;
  title?: string;
  /** Displayed above the title, in HTML only. `src` is a whole http(s) address. */
  picture?: { src: string; alt: string };
  name?: string | null;
  paragraphs: readonly string[];
  button?: { label: string; href: string };
  details?: readonly (readonly [label: string, value: string])[];
  /** A text link after the details. The email's action is the button. */
  link?: { label: string; href: string };
  code?: string;
  quote?: string;
  after?: readonly string[];
  sms?: string;
};

export const texts = (...all: readonly (string | false | null | undefined)[]): string[] =>
  all.filter((text): text is string => Boolean(text));

export const detail = (label: string, value: string | null | undefined): [string, string][] =>
  value ? [[label, value]] : [];

export const greeting = (email: EmailContent): string => {
  const name = greetingName(email.name);
  return name ? `Dear ${name},` : "Hello,";
};

export function checkedHref(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.href;
  throw new TypeError("an email's link must be a whole address that starts with https:// or http://");
}

const width = 72;

/** Returns the email as plain text, with 72 characters per line and links on their own lines. */
export function plainText(email: EmailContent, footer: readonly string[]): string {
  const parts: string[] = [greeting(email), ...email.paragraphs.map(wrapped)];
  if (email.code) parts.push(`    ${email.code}`);
  if (email.quote)
    parts.push(
      email.quote
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join("\n"),
    );
  if (email.button) parts.push(`${email.button.label}:\n${checkedHref(email.button.href)}`);
  if (email.details?.length) parts.push(table(email.details));
  if (email.link) parts.push(`${email.link.label}:\n${checkedHref(email.link.href)}`);
  parts.push(...(email.after ?? []).map(wrapped), `-- \n${footer.filter(Boolean).map(wrapped).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

function table(details: NonNullable<EmailContent["details"]>): string {
  const widest = Math.max(...details.map(([label]) => label.length));
  return details.map(([label, value]) => `${`${label}:`.padEnd(widest + 2)}${oneLine(value, 400)}`).join("\n");
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join("\n");
}

export type Money = { amount: number; currency: string };

export const money = ({ amount, currency }: Money): string => formatMoney(amount, currency);

/** Where every refund goes: the payer may be another person than the promoter. */
export const paidCard = "the card it was paid with";

export const otherPayer = "the person who paid by your payment link";

export const refundText = (amount: Money, inTwo = false): string =>
  `We refund ${money(amount)} ${inTwo ? "in two parts, of the deposit and of the balance, each to the card that paid it" : `to ${paidCard}`}. Banks take 5 to 10 days to show it.`;

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
