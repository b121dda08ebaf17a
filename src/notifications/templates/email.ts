import { oneLine } from "#delivery/rules.ts";
import { greetingName } from "./format.ts";

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
  /** A visitor's text, displayed as a quotation. */
  quote?: string;
  after?: readonly string[];
  sms?: string;
};

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
