import { capitalized } from "#platform/text.rules.ts";

/** Pages of texts and files together. Mastercard has the smallest limit of the card networks, and the provider refuses evidence above it (docs/stripe-behavior.md). */
export const maxEvidencePages = 19;

/** What is left for the texts if the contract alone is too long. The provider then decides by the limit of the card. */
const minTextPages = 4;
const [linesOnPage, lineLength, maxTextLength] = [40, 75, 20_000];
const titleLines = 3;
const minLogLines = 20;
const maxEntryLines = 4;
const lists = ["access_activity_log", "uncategorized_text"] as const;

const linesOf = (line: string): number => Math.max(1, Math.ceil(line.length / lineLength));
const heightOf = (text: string): number =>
  text === "" ? 0 : text.split("\n").reduce((sum, line) => sum + linesOf(line), titleLines);

export const textPagesOf = (texts: Readonly<Record<string, string>>): number =>
  Math.ceil(Object.values(texts).reduce((sum, text) => sum + heightOf(text), 0) / linesOnPage);

/** Shortens the two lists of the evidence to fit beside a contract of `contractPages`. A shortened list ends with the number of its missing lines. `note`: the admin's own words, with which `uncategorized_text` begins. */
export function fitEvidence<T extends Readonly<Record<string, string>>>(texts: T, contractPages: number, note = ""): T {
  const pages = Math.max(minTextPages, maxEvidencePages - contractPages);
  const [log = "", other = ""] = lists.map((name) => texts[name]);
  const fixed = textPagesOf({ ...texts, access_activity_log: "", uncategorized_text: "" });
  const available = (pages - fixed) * linesOnPage;
  const withNote = available - heightOf(note) - linesOf(missingText(note.length, true));
  const share = Math.max(minLogLines, Math.min(Math.floor(available / 2), withNote));
  const ofLog = Math.min(heightOf(log), Math.max(share, available - heightOf(other)));
  return { ...texts, access_activity_log: shorten(log, ofLog), uncategorized_text: shorten(other, available - ofLog) };
}

const cutEnding = "left out, because card networks limit the pages.)";

/** Returns true if `fitEvidence` left out a part of the text. */
export const isShortened = (text: string): boolean => text.endsWith(cutEnding);

function missingText(count: number, isCut: boolean): string {
  const rest = isCut ? ["the rest of the line above"] : [];
  const missing = [...rest, ...(count > 0 ? [`${count} more ${count === 1 ? "line" : "lines"}`] : [])].join(" and ");
  const verb = count > (isCut ? 0 : 1) ? "are" : "is";
  return `(${capitalized(missing)} ${verb} ${cutEnding}`;
}

/** Keeps the start: a list begins with what matters most, or with the oldest entry. An entry that does not fit is left out, and a paragraph is cut. */
function shorten(text: string, height: number): string {
  if (heightOf(text) <= height && text.length <= maxTextLength) return text;
  const lines = text.split("\n");
  const end = missingText(lines.length, true);
  let [kept, rows, length] = [0, height - titleLines - linesOf(end), maxTextLength - end.length];
  for (const line of lines) {
    length -= 1;
    if (linesOf(line) > rows || line.length > length) break;
    rows -= linesOf(line);
    length -= line.length;
    kept++;
  }
  const next = lines[kept] ?? "";
  const part = linesOf(next) > maxEntryLines ? startOf(next, Math.min(rows * lineLength, length)) : "";
  const isCut = part !== "";
  const missing = missingText(lines.length - kept - (isCut ? 1 : 0), isCut);
  return [...lines.slice(0, kept), ...(isCut ? [part] : []), missing].join("\n");
}

function startOf(line: string, length: number): string {
  const start = line.slice(0, Math.max(0, length));
  const end = start.lastIndexOf(" ");
  return end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, "");
}
