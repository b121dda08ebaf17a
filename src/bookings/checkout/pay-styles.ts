/** How the page between the promoter's link and the card provider looks: the house's paper, one wedge of light, one button. */

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Makes text safe inside markup and quoted attributes. */
export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? "");

/** A whole document. `body` is markup; `title` is text. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#f5f2ed" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141119" media="(prefers-color-scheme: dark)">
<title>${escape(title)} · Stagedoor</title>
<link rel="icon" href="/pay/mark.svg" type="image/svg+xml">
<link rel="preload" as="font" type="font/woff2" href="/pay/fonts/display.woff2" crossorigin="anonymous">
<link rel="stylesheet" href="/pay/page.css">
</head>
<body>
<header><a class="name" href="/"><svg viewBox="0 0 32 40" width="26" height="32" aria-hidden="true"><path d="M2 2h19v36H2z" fill="currentColor"/><path class="lamp" d="M21 2v36L7 32V8z"/><path class="lamp pale" d="M21 38l10 2v-1L21 20z"/></svg>Stagedoor</a></header>
<main>${body}</main>
</body>
</html>`;

/** The mark of the tab. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><style>.w{fill:#1e1928}@media(prefers-color-scheme:dark){.w{fill:#f4eee4}}</style><g transform="translate(4)"><path class="w" d="M2 2h19v36H2z"/><path fill="#f5bd4f" d="M21 2v36L7 32V8z"/><path fill="#f5bd4f" opacity=".6" d="M21 38l10 2v-1L21 20z"/></g></svg>`;

/** The fonts the page may ask for under /pay/fonts/, and the packages they come from. */
export const fonts = {
  "display.woff2": "@fontsource-variable/league-gothic/files/league-gothic-latin-wdth-normal.woff2",
  "text.woff2": "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2",
} as const;

/** The colours are the site's tokens (web/ui/tokens.css); `brand` is the one that settings may change. */
export const style = (
  brand: string,
): string => `@font-face { font-family: "League Gothic"; src: url("/pay/fonts/display.woff2") format("woff2"); font-stretch: 75% 100%; font-display: swap; }
@font-face { font-family: "Public Sans"; src: url("/pay/fonts/text.woff2") format("woff2"); font-weight: 100 900; font-display: swap; }
:root {
  color-scheme: light dark;
  --brand: ${brand};
  --brand-low: oklch(from var(--brand) min(l, 0.55) c h);
  --brand-high: oklch(from var(--brand) max(l, 0.64) c h);
  --stock: light-dark(#f5f2ed, #141119);
  --sheet: light-dark(#fdfcfa, #1d1924);
  --ink: light-dark(#1e1928, #f4eee4);
  --ink-2: light-dark(#5b5463, #bab1bc);
  --rule: light-dark(#dbd4cc, #383141);
  --rule-2: light-dark(#867d86, #837a8c);
  --well: light-dark(#ebe6df, #26212f);
  --lamp: light-dark(#f5bd4f, #ffc862);
  --cherry: light-dark(#7c1a15, #f9b5a8);
  --accent: light-dark(color-mix(in oklab, var(--brand-low) 86%, #140c30), color-mix(in oklab, var(--brand-high) 58%, #fff4e2));
  --on-accent: light-dark(#fff, #17121f);
  --ring: light-dark(var(--accent), var(--lamp));
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-rows: auto 1fr; font: 400 1rem/1.55 "Public Sans", "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--stock); }
header { padding: 1rem 1.25rem; border-bottom: 1px solid var(--rule); }
.name { display: inline-flex; align-items: center; gap: 0.6rem; min-height: 2rem; font: 400 1.75rem/1 "League Gothic", "Arial Narrow", Impact, sans-serif; color: inherit; text-decoration: none; }
.lamp { fill: var(--lamp); }
.pale { opacity: 0.6; }
main { place-self: center; position: relative; overflow: hidden; width: min(32rem, 100% - 2.5rem); margin-block: 2rem 18vh; padding: 2.5rem 2rem 2rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: 4px; }
main::before { content: ""; position: absolute; inset: 0 0 auto; height: 5px; background: var(--lamp); clip-path: polygon(0 0, 100% 0, 62% 100%, 0 100%); }
h1 { margin: 0 0 1rem; font: 400 3rem/1 "League Gothic", "Arial Narrow", Impact, sans-serif; letter-spacing: 0.004em; text-wrap: balance; }
p { margin: 0 0 1.5rem; color: var(--ink-2); text-wrap: pretty; }
#say[data-failed] { color: var(--cherry); font-weight: 600; }
.acts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0; }
.btn { display: inline-flex; align-items: center; justify-content: center; min-height: 3.25rem; padding: 0.5rem 1.6rem; border: 1.5px solid transparent; border-radius: 4px; background: var(--accent); color: var(--on-accent); font: 600 1rem/1.2 "Public Sans", "Helvetica Neue", Arial, sans-serif; text-decoration: none; cursor: pointer; transition: background 160ms; }
.btn:hover { background: color-mix(in oklab, var(--accent) 88%, var(--ink)); }
.btn.line { background: transparent; color: var(--ink); border-color: var(--rule-2); }
.btn.line:hover { background: var(--well); }
.btn[aria-busy="true"] { cursor: progress; background: color-mix(in oklab, var(--accent) 80%, var(--ink)); }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: 2px; }
@media (max-width: 480px) {
  main { padding: 2rem 1.25rem 1.25rem; margin-block: 1.25rem auto; }
  h1 { font-size: 2.5rem; }
  .btn { width: 100%; }
}
@media (prefers-reduced-motion: reduce) { .btn { transition: none; } }
`;
