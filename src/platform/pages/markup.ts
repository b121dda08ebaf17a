/** HTML whose values are escaped, unless they are HTML of this tag themselves. */
export type Markup = Readonly<{ html: string }>;
type Value = string | number | Markup | null | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "");

function htmlOf(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "object") return escapeHtml(String(value));
  return "html" in value ? value.html : value.map(htmlOf).join("");
}

export const markup = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  html: String.raw({ raw: parts }, ...values.map(htmlOf)),
});
