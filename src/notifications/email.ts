/** One letter, whatever it looks like in the end: the templates write it, the layout and the plain text show it. */
import { greetingName, oneLine } from "./format.ts";

export type Letter = {
  subject: string;
  /** The heading inside; the subject when absent. */
  title?: string;
  /** The person's name; "Hello," without one. */
  name?: string | null;
  paragraphs: readonly string[];
  button?: { label: string; href: string };
  /** Label and value, one line each. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** A one-time code, shown large. */
  code?: string;
  /** Text that a stranger wrote, shown as a quotation. */
  quote?: string;
  /** Small print below. */
  after?: readonly string[];
  /** The whole message as SMS. */
  sms?: string;
};

/** The first line of a letter. */
export const greeting = (letter: Letter): string => {
  const name = greetingName(letter.name);
  return name ? `Dear ${name},` : "Hello,";
};

/** Refuses a link that is not an ordinary web address. */
export function checkedHref(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.href;
  throw new TypeError("a letter's link must be a whole address that starts with https:// or http://");
}

const width = 72;

/** Writes the letter for readers of plain text, 72 characters to the line; links stand on lines of their own. */
export function plainText(letter: Letter, footer: readonly string[]): string {
  const parts: string[] = [greeting(letter), ...letter.paragraphs.map(wrapped)];
  if (letter.code) parts.push(`    ${letter.code}`);
  if (letter.quote)
    parts.push(
      letter.quote
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join("\n"),
    );
  if (letter.button) parts.push(`${letter.button.label}:\n${checkedHref(letter.button.href)}`);
  if (letter.facts?.length) parts.push(table(letter.facts));
  parts.push(...(letter.after ?? []).map(wrapped), `-- \n${footer.filter(Boolean).map(wrapped).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

function table(facts: NonNullable<Letter["facts"]>): string {
  const widest = Math.max(...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `${`${label}:`.padEnd(widest + 2)}${oneLine(value, 400)}`).join("\n");
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
