/** Pages without the web's build: the sandbox's checkout and the dev mailbox. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FastifyInstance } from "fastify";
import { Problem } from "../errors.ts";
import { markPaths } from "./mark.rules.ts";
import { escapeHtml } from "./markup.ts";

const folder = "/static";
const fonts: Readonly<Record<string, string>> = {
  "league-gothic.woff2": "@fontsource-variable/league-gothic/files/league-gothic-latin-wdth-normal.woff2",
  "public-sans.woff2": "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2",
};

function readSiteStyles(): string {
  const source = readFileSync(new URL("../../web/ui/tokens.css", import.meta.url), "utf8");
  return Object.entries(fonts).reduce((css, [name, file]) => css.replace(file, `${folder}/${name}`), source);
}

type StaticPage = Readonly<{
  title: string;
  badge: string;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** Markup. User input in it must be escaped already. */
  main: string;
  footer?: string;
}>;

const mark = `<svg viewBox="0 0 32 40" aria-hidden="true"><path d="${markPaths.frame}" fill="currentColor"/><path d="${markPaths.panel}" fill="var(--lamp)"/><path d="${markPaths.light}" fill="var(--lamp)" opacity=".6"/></svg>`;

export const staticPage = ({ title, badge, styles = [], scripts = [], main, footer = "" }: StaticPage): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${[`${folder}/site.css`, ...styles].map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join("\n")}
${scripts.map((src) => `<script src="${escapeHtml(src)}" defer></script>`).join("\n")}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="mast"><div class="wrap"><a class="name" href="/">${mark}Stagedoor</a><span class="badge">${escapeHtml(badge)}</span></div></header>
<main id="main">${main}</main>
${footer}</body>
</html>
`;

const badgeStyles = `
.badge { display: inline-flex; align-items: center; gap: 0.4rem; padding: 0.14rem 0.5rem; border-radius: var(--r-1); background: var(--gold-p); color: var(--gold-i); font: 600 0.8125rem/1.4 var(--text); }
.badge::before { content: ""; width: 0.65rem; height: 0.65rem; border-radius: 50%; border: 1.5px solid; background: conic-gradient(currentColor 50%, transparent 0); flex: none; }
`;

export const staticPagesPlugin = () => async (app: FastifyInstance) => {
  const siteStyles = readSiteStyles() + badgeStyles;
  const { resolve } = createRequire(import.meta.url);
  app.get(`${folder}/site.css`, (_request, reply) =>
    reply.type("text/css; charset=utf-8").header("cache-control", "public, max-age=3600").send(siteStyles),
  );
  app.get<{ Params: { font: string } }>(`${folder}/:font`, async (request, reply) => {
    const file = Object.hasOwn(fonts, request.params.font) ? fonts[request.params.font] : undefined;
    if (!file) throw new Problem("not_found", "There is nothing at this address.");
    return reply
      .type("font/woff2")
      .header("cache-control", "public, max-age=604800")
      .send(await readFile(resolve(file)));
  });
};
