/** Pages of texts and files together. Mastercard has the smallest limit of the card networks, and the provider refuses evidence above it (docs/stripe-behavior.md). */
export const maxEvidencePages = 19;

/** What is left for the texts if the contract alone is too long. The provider then decides by the limit of the card. */
const minTextPages = 4;
const [linesOnPage, lineLength, maxTextLength] = [40, 75, 20_000];
/** The title of a text and the space around it. */
const titleLines = 3;
const lists = ["access_activity_log", "uncategorized_text"] as const;

const linesOf = (line: string): number => Math.max(1, Math.ceil(line.length / lineLength));
const heightOf = (text: string): number =>
  text === "" ? 0 : text.split("\n").reduce((sum, line) => sum + linesOf(line), titleLines);

export const textPagesOf = (texts: Readonly<Record<string, string>>): number =>
  Math.ceil(Object.values(texts).reduce((sum, text) => sum + heightOf(text), 0) / linesOnPage);

/** Shortens the two lists of the evidence to fit beside a contract of `contractPages`. A shortened list ends with the number of its missing lines. */
export function fitEvidence<T extends Readonly<Record<string, string>>>(texts: T, contractPages: number): T {
  const pages = Math.max(minTextPages, maxEvidencePages - contractPages);
  const [log = "", other = ""] = lists.map((name) => texts[name]);
  const fixed = textPagesOf({ ...texts, access_activity_log: "", uncategorized_text: "" });
  const available = (pages - fixed) * linesOnPage;
  const ofLog = Math.min(heightOf(log), Math.max(Math.floor(available / 2), available - heightOf(other)));
  return { ...texts, access_activity_log: shorten(log, ofLog), uncategorized_text: shorten(other, available - ofLog) };
}

/** Keeps whole lines from the start: a list begins with what matters most, or with the oldest entry. */
function shorten(text: string, height: number): string {
  if (heightOf(text) <= height && text.length <= maxTextLength) return text;
  const lines = text.split("\n");
  const missing = (count: number) => `(${count} more lines are left out, because card networks limit the pages.)`;
  const end = missing(lines.length);
  let [kept, used, length] = [0, titleLines + linesOf(end), end.length];
  for (const line of lines) {
    used += linesOf(line);
    length += line.length + 1;
    if (used > height || length > maxTextLength) break;
    kept++;
  }
  return [...lines.slice(0, kept), missing(lines.length - kept)].join("\n");
}
