import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { markup } from "#platform/pages/markup.ts";
import { legalLinks, type LegalPages } from "#settings/legal-pages.rules.ts";
import { checkedHref, greeting, type EmailContent } from "./email.ts";

export type Brand = { primaryColor: string; logoUrl: string; emailFooter: string; supportEmail: string } & LegalPages;

const productName = "Stagedoor";

const ink = "#1e1928";
const quiet = "#5b5463";
const rule = "#dbd4cc";
const amber = "#f5bd4f";
const text = "'Public Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif";

const darkStyle = markup`
@media (prefers-color-scheme: dark) {
  .stock { background: #141119 !important; }
  .sheet { background: #1d1924 !important; border-color: #383141 !important; }
  .ink { color: #f4eee4 !important; }
  .quiet { color: #bab1bc !important; }
  .line { border-color: #383141 !important; }
  .heavy { border-color: #f4eee4 !important; }
  .well { background: #26212f !important; color: #f4eee4 !important; }
}
@media (max-width: 480px) { .pad { padding: 24px 20px !important; } }`;

const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Escapes all input and allows only http(s) links. */
export const emailHtml = (email: EmailContent, brand: Brand): string => doctype + page(email, brand).html;

const presentation = markup`role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"`;

const page = (email: EmailContent, brand: Brand) => markup`<html lang="en">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="supported-color-schemes" content="light dark"/>
<title>${email.subject}</title>
<style>${darkStyle}</style>
</head>
<body class="stock" style="margin:0;padding:0;background:#f5f2ed;font-family:${text};color:${ink}">
<table ${presentation}><tbody><tr><td class="stock" align="center" style="padding:24px 12px;background:#f5f2ed">
<table ${presentation} style="max-width:600px"><tbody><tr><td>
<table ${presentation}><tbody><tr><td class="sheet pad" style="background:#fdfcfa;border:1px solid ${rule};padding:32px 36px;text-align:left;overflow-wrap:anywhere">
<div class="heavy" style="padding-bottom:16px;border-bottom:3px solid ${ink};margin-bottom:24px">${logo(brand)}</div>
${email.picture ? poster(email.picture) : null}
${body(email, brand)}
${foot(brand)}
</td></tr></tbody></table>
</td></tr></tbody></table>
</td></tr></tbody></table>
</body>
</html>`;

const logo = ({ logoUrl }: Brand) =>
  logoUrl.startsWith("https://")
    ? markup`<img src="${logoUrl}" alt="${productName}" height="32" style="height:32px;width:auto;border:0"/>`
    : markup`<span class="ink" style="font:600 22px/1.2 ${text};color:${ink};border-left:10px solid ${amber};padding-left:10px">${productName}</span>`;

const sheetWidth = 528;

/** Mail clients that load no pictures display the alternative text on its own line. */
const poster = ({ src, alt }: NonNullable<EmailContent["picture"]>) =>
  markup`<img class="well" src="${checkedHref(src)}" alt="${alt}" width="${sheetWidth}" style="display:block;width:100%;max-width:${sheetWidth}px;height:auto;border:0;margin:0 0 24px;background:#ebe6df;color:${ink};font:600 20px/2.4 ${text};text-align:center"/>`;

const body = (email: EmailContent, brand: Brand) => [
  markup`<h1 class="ink" style="font:600 28px/1.15 ${text};color:${ink};margin:0 0 20px">${email.title ?? email.subject}</h1>`,
  [greeting(email), ...email.paragraphs].map(
    (value) => markup`<p class="ink" style="font:400 16px/1.55 ${text};color:${ink};margin:0 0 16px">${value}</p>`,
  ),
  email.code ? code(email.code) : null,
  email.quote ? quotation(email.quote) : null,
  email.button ? button(email.button, brand) : null,
  email.details?.length ? detailTable(email.details) : null,
  email.link ? textLink(email.link) : null,
  (email.after ?? []).map(
    (value) => markup`<p class="quiet" style="font:400 14px/1.5 ${text};color:${quiet};margin:16px 0 0">${value}</p>`,
  ),
];

const code = (digits: string) =>
  markup`<p class="well" style="font:600 30px/1 ${text};letter-spacing:6px;background:#ebe6df;color:${ink};padding:18px 20px;margin:0 0 20px">${digits}</p>`;

const quotation = (value: string) =>
  markup`<div class="ink line" style="font:400 16px/1.55 ${text};color:${ink};white-space:pre-wrap;border-left:3px solid ${rule};padding:2px 0 2px 16px;margin:0 0 20px">${value}</div>`;

function button({ label, href }: NonNullable<EmailContent["button"]>, brand: Brand) {
  const { fill, on } = buttonColours(brand.primaryColor);
  return markup`<p style="margin:8px 0 24px"><a href="${checkedHref(href)}" style="display:inline-block;background:${fill};color:${on};font:600 16px/1.25 ${text};padding:13px 22px;border-radius:4px;text-decoration:none">${label}</a></p>`;
}

const textLink = ({ label, href }: NonNullable<EmailContent["link"]>) =>
  markup`<p style="font:400 16px/1.55 ${text};margin:16px 0 0"><a class="ink" href="${checkedHref(href)}" style="color:${ink}">${label}</a></p>`;

function detailTable(lines: NonNullable<EmailContent["details"]>) {
  const side = (color: string) =>
    markup`font:400 15px/1.4 ${text};color:${color};padding:10px 0;border-top:1px solid ${rule};vertical-align:top`;
  const rows = lines.map(
    ([label, value]) => markup`<tr>
<td class="quiet line" style="${side(quiet)};padding-right:16px;width:38%">${label}</td>
<td class="ink line" style="${side(ink)}">${value}</td>
</tr>`,
  );
  return markup`<table ${presentation} style="border-collapse:collapse;margin:4px 0 8px"><tbody>${rows}</tbody></table>`;
}

function foot(brand: Brand) {
  const link = (label: string, href: string) =>
    markup`<a class="quiet" href="${href}" style="color:${quiet}">${label}</a>`;
  const footer = brand.emailFooter ? markup`${brand.emailFooter}<br/>` : null;
  const legal = legalLinks(brand).map(({ label, href }) => markup`, ${link(label, checkedHref(href))}`);
  return markup`<div class="line" style="border-top:1px solid ${rule};margin-top:28px;padding-top:16px">
<p class="quiet" style="font:400 13px/1.5 ${text};color:${quiet};margin:0;white-space:pre-line">${footer}${link(brand.supportEmail, mailtoOf(brand.supportEmail))}${legal}</p>
</div>`;
}

type Rgb = readonly [number, number, number];
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) =>
    part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(rgb(one)), luminance(rgb(other))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the button's colors: the brand color darkened, and the text color with the better contrast (always 4.5:1 or more). */
export function buttonColours(brand: string): { fill: string; on: string } {
  const deep = rgb("#140c30");
  const fill = `#${rgb(brand)
    .map((part, at) =>
      Math.round(part * 0.86 + (deep[at] ?? 0) * 0.14)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
  return { fill, on: contrast(fill, "#ffffff") >= contrast(fill, "#17121f") ? "#ffffff" : "#17121f" };
}
