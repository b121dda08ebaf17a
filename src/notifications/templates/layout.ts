import { createElement as h, type CSSProperties, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { legalLinks, type LegalPages } from "#settings/legal-pages.rules.ts";
import { checkedHref, greeting, type EmailContent } from "./email.ts";

export type Brand = { primaryColor: string; logoUrl: string; emailFooter: string; supportEmail: string } & LegalPages;

const productName = "Stagedoor";

const ink = "#1e1928";
const quiet = "#5b5463";
const rule = "#dbd4cc";
const amber = "#f5bd4f";
const text = '"Public Sans", "Helvetica Neue", Helvetica, Arial, sans-serif';

const darkStyle = `
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
const preloadLink = /<link rel="preload" as="image"[^>]*>/g;

/** Escapes all input and allows only http(s) links. */
export const emailHtml = (email: EmailContent, brand: Brand): string =>
  doctype + renderToStaticMarkup(page(email, brand)).replaceAll(preloadLink, "");

function page(email: EmailContent, brand: Brand) {
  const style: CSSProperties = { margin: 0, padding: 0, background: "#f5f2ed", fontFamily: text, color: ink };
  return h(
    "html",
    { lang: "en" },
    h(
      "head",
      null,
      h("meta", { httpEquiv: "Content-Type", content: "text/html; charset=utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "color-scheme", content: "light dark" }),
      h("meta", { name: "supported-color-schemes", content: "light dark" }),
      h("title", null, email.subject),
      h("style", { dangerouslySetInnerHTML: { __html: darkStyle } }),
    ),
    h("body", { className: "stock", style }, centred(sheet(email, brand))),
  );
}

const presentation = { role: "presentation", cellPadding: 0, cellSpacing: 0, border: 0, width: "100%" } as const;

const cell = (props: object, ...inside: ReactNode[]) =>
  h("table", presentation, h("tbody", null, h("tr", null, h("td", props, ...inside))));

function centred(inside: ReactNode) {
  const inner = h(
    "table",
    { ...presentation, style: { maxWidth: 600 } },
    h("tbody", null, h("tr", null, h("td", null, inside))),
  );
  return cell({ className: "stock", align: "center", style: { padding: "24px 12px", background: "#f5f2ed" } }, inner);
}

function sheet(email: EmailContent, brand: Brand) {
  const style: CSSProperties = {
    background: "#fdfcfa",
    border: `1px solid ${rule}`,
    padding: "32px 36px",
    textAlign: "left",
    overflowWrap: "anywhere",
  };
  const { picture } = email;
  return cell(
    { className: "sheet pad", style },
    head(brand),
    picture ? poster(picture) : null,
    ...body(email, brand),
    foot(brand),
  );
}

function head(brand: Brand) {
  const logo = brand.logoUrl.startsWith("https://")
    ? h("img", { src: brand.logoUrl, alt: productName, height: 32, style: { height: 32, width: "auto", border: 0 } })
    : h(
        "span",
        {
          className: "ink",
          style: { font: `600 22px/1.2 ${text}`, color: ink, borderLeft: `10px solid ${amber}`, paddingLeft: 10 },
        },
        productName,
      );
  return h(
    "div",
    { className: "heavy", style: { paddingBottom: 16, borderBottom: `3px solid ${ink}`, marginBottom: 24 } },
    logo,
  );
}

const sheetWidth = 528;

/** Mail clients that load no pictures display the alternative text on its own line. */
const poster = ({ src, alt }: NonNullable<EmailContent["picture"]>) =>
  h("img", {
    key: "picture",
    className: "well",
    src: checkedHref(src),
    alt,
    width: sheetWidth,
    style: {
      display: "block",
      width: "100%",
      maxWidth: sheetWidth,
      height: "auto",
      border: 0,
      margin: "0 0 24px",
      background: "#ebe6df",
      color: ink,
      font: `600 20px/2.4 ${text}`,
      textAlign: "center",
    },
  });

function body(email: EmailContent, brand: Brand): ReactNode[] {
  const paragraph = (value: string, key: string) =>
    h("p", { key, className: "ink", style: { font: `400 16px/1.55 ${text}`, color: ink, margin: "0 0 16px" } }, value);
  const small = (value: string, key: string) =>
    h(
      "p",
      { key, className: "quiet", style: { font: `400 14px/1.5 ${text}`, color: quiet, margin: "16px 0 0" } },
      value,
    );
  return [
    h(
      "h1",
      { key: "title", className: "ink", style: { font: `600 28px/1.15 ${text}`, color: ink, margin: "0 0 20px" } },
      email.title ?? email.subject,
    ),
    paragraph(greeting(email), "greeting"),
    ...email.paragraphs.map((value, at) => paragraph(value, `p${at}`)),
    email.code ? code(email.code) : null,
    email.quote ? quotation(email.quote) : null,
    email.button ? button(email.button, brand) : null,
    email.details?.length ? detailTable(email.details) : null,
    email.link ? textLink(email.link) : null,
    ...(email.after ?? []).map((value, at) => small(value, `a${at}`)),
  ];
}

const code = (digits: string) =>
  h(
    "p",
    {
      key: "code",
      className: "well",
      style: {
        font: `600 30px/1 ${text}`,
        letterSpacing: 6,
        background: "#ebe6df",
        color: ink,
        padding: "18px 20px",
        margin: "0 0 20px",
      },
    },
    digits,
  );

const quotation = (value: string) =>
  h(
    "div",
    {
      key: "quote",
      className: "ink line",
      style: {
        font: `400 16px/1.55 ${text}`,
        color: ink,
        whiteSpace: "pre-wrap",
        borderLeft: `3px solid ${rule}`,
        padding: "2px 0 2px 16px",
        margin: "0 0 20px",
      },
    },
    value,
  );

function button({ label, href }: NonNullable<EmailContent["button"]>, brand: Brand) {
  const { fill, on } = buttonColours(brand.primaryColor);
  const address = checkedHref(href);
  const style: CSSProperties = {
    display: "inline-block",
    background: fill,
    color: on,
    font: `600 16px/1.25 ${text}`,
    padding: "13px 22px",
    borderRadius: 4,
    textDecoration: "none",
  };
  return h("p", { key: "button", style: { margin: "8px 0 24px" } }, h("a", { href: address, style }, label));
}

const textLink = ({ label, href }: NonNullable<EmailContent["link"]>) =>
  h(
    "p",
    { key: "link", style: { font: `400 16px/1.55 ${text}`, margin: "16px 0 0" } },
    h("a", { className: "ink", href: checkedHref(href), style: { color: ink } }, label),
  );

function detailTable(lines: NonNullable<EmailContent["details"]>) {
  const row = ([label, value]: readonly [string, string]) => {
    const side: CSSProperties = {
      font: `400 15px/1.4 ${text}`,
      color: ink,
      padding: "10px 0",
      borderTop: `1px solid ${rule}`,
      verticalAlign: "top",
    };
    return h(
      "tr",
      { key: label },
      h("td", { className: "quiet line", style: { ...side, color: quiet, paddingRight: 16, width: "38%" } }, label),
      h("td", { className: "ink line", style: side }, value),
    );
  };
  return h(
    "table",
    { ...presentation, key: "facts", style: { borderCollapse: "collapse", margin: "4px 0 8px" } },
    h("tbody", null, lines.map(row)),
  );
}

function foot(brand: Brand) {
  const style: CSSProperties = { font: `400 13px/1.5 ${text}`, color: quiet, margin: 0, whiteSpace: "pre-line" };
  const link = h(
    "a",
    { className: "quiet", href: mailtoOf(brand.supportEmail), style: { color: quiet } },
    brand.supportEmail,
  );
  const legal = legalLinks(brand).flatMap(({ label, href }) => [
    ", ",
    h("a", { key: label, className: "quiet", href: checkedHref(href), style: { color: quiet } }, label),
  ]);
  return h(
    "div",
    { className: "line", style: { borderTop: `1px solid ${rule}`, marginTop: 28, paddingTop: 16 } },
    h("p", { className: "quiet", style }, brand.emailFooter, brand.emailFooter ? h("br") : null, link, ...legal),
  );
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
