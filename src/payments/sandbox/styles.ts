/** How the sandbox's pages look: paper and ink of the house, in both schemes, in a few hundred bytes of style. */
import type { StoredSession } from "./objects.ts";

/** The style of every sandbox page. */
export const sandboxStyle = `
@font-face { font-family: "League Gothic"; src: url("/sandbox/fonts/display.woff2") format("woff2"); font-stretch: 75% 100%; font-display: swap; }
@font-face { font-family: "Public Sans"; src: url("/sandbox/fonts/text.woff2") format("woff2"); font-weight: 100 900; font-display: swap; }
*, ::before, ::after { box-sizing: border-box; }
* { margin: 0; }
:root {
  color-scheme: light dark;
  --stock: light-dark(#f5f2ed, #141119); --sheet: light-dark(#fdfcfa, #1d1924); --well: light-dark(#ebe6df, #26212f);
  --ink: light-dark(#1e1928, #f4eee4); --ink-2: light-dark(#5b5463, #bab1bc);
  --rule: light-dark(#dbd4cc, #383141); --rule-2: light-dark(#867d86, #837a8c); --lamp: light-dark(#f5bd4f, #ffc862);
  --accent: light-dark(#4f4dc8, #b5b1f6); --on-accent: light-dark(#fff, #17121f); --ring: light-dark(var(--accent), var(--lamp));
  --gold-p: light-dark(#f9e2a0, #443514); --gold-i: light-dark(#583f00, #fbd77c);
  --cherry-p: light-dark(#f7d3cc, #4b1f20); --cherry-i: light-dark(#7c1a15, #f9b5a8);
  --display: "League Gothic", "Arial Narrow", Impact, sans-serif; --text: "Public Sans", "Helvetica Neue", Arial, sans-serif;
}
html { font: 400 100%/1.55 var(--text); color: var(--ink); background: var(--stock); -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; }
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; padding: 0.6rem 1rem; background: var(--ink); color: var(--stock); z-index: 9; }
.skip:focus { top: 0.5rem; }
.mast { border-bottom: 1px solid var(--rule); }
.mast > div { width: min(75rem, 100% - 2.5rem); margin-inline: auto; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; min-height: 4rem; padding-block: 0.5rem; }
.name { display: inline-flex; align-items: center; gap: 0.6rem; font: 400 1.75rem/1 var(--display); letter-spacing: 0.01em; }
.name svg { width: 1.6rem; flex: none; }
.badge { display: inline-flex; align-items: center; gap: 0.4rem; padding: 0.14rem 0.5rem 0.14rem 0.42rem; border-radius: 2px; background: var(--gold-p); color: var(--gold-i); font: 600 0.8125rem/1.4 var(--text); }
.badge::before { content: ""; width: 0.65rem; height: 0.65rem; border-radius: 50%; border: 1.5px solid; background: conic-gradient(currentColor 50%, transparent 0); flex: none; }
main { width: min(30rem, 100% - 2.5rem); margin: 3.5rem auto 0; padding-bottom: 2.5rem; }
h1 { font: 400 4.5rem/0.95 var(--display); text-wrap: balance; overflow-wrap: anywhere; }
h1.amount { font-size: 6.5rem; line-height: 0.9; margin-top: 0.3rem; font-variant-numeric: tabular-nums; }
.quiet { color: var(--ink-2); }
.small { font-size: 0.875rem; margin-top: 1rem; }
.sheet { margin-top: 1.5rem; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: 4px; display: grid; gap: 1.25rem; }
.who { display: grid; grid-template-columns: auto 1fr; gap: 1rem; align-items: center; padding-bottom: 1rem; border-bottom: 1px solid var(--rule); }
.who img { width: 4.5rem; aspect-ratio: 3 / 4; object-fit: cover; display: block; border-radius: 2px; background: var(--well); }
.who p:first-child { font: 400 1.5rem/1.1 var(--display); color: var(--ink); margin-bottom: 0.2rem; }
.who p { overflow-wrap: anywhere; font-size: 0.875rem; color: var(--ink-2); }
.lines > div { display: flex; justify-content: space-between; gap: 1rem; padding-block: 0.55rem; border-bottom: 1px solid var(--rule); }
.lines > div:last-child { border: 0; }
.lines dd { text-align: end; min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.note { padding: 0.85rem 1rem; background: var(--gold-p); color: var(--gold-i); border-radius: 4px; font-size: 0.9375rem; }
.note.cherry { background: var(--cherry-p); color: var(--cherry-i); }
.acts { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; }
.acts form:first-child { grid-column: 1 / -1; }
button, .btn { display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; padding: 0.5rem 1.15rem; border: 1.5px solid var(--rule-2); border-radius: 4px; background: transparent; color: var(--ink); font: 600 0.9375rem/1.2 var(--text); text-decoration: none; cursor: pointer; }
button:hover, .btn:hover { background: var(--well); }
button.big { min-height: 3.25rem; font-size: 1rem; border-color: transparent; background: var(--accent); color: var(--on-accent); }
button.big:hover { background: color-mix(in oklab, var(--accent) 88%, var(--ink)); }
@media (max-width: 767.98px) {
  .mast > div { min-height: 3.5rem; }
  .name { font-size: 1.5rem; gap: 0.45rem; }
  main { margin-top: 1.75rem; }
  h1 { font-size: 3rem; }
  h1.amount { font-size: 5.5rem; }
}
`;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const safe = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const money = (amount: number, currency: string) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: currency.toUpperCase() }).format(amount / 100);

const page = (title: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${safe(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox/look.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="mast"><div><span class="name"><svg viewBox="0 0 32 40" aria-hidden="true"><path d="M2 2h19v36H2z" fill="currentColor"/><path d="M21 2v36L7 32V8z" fill="var(--lamp)"/><path d="M21 38l10 2v-1L21 20z" fill="var(--lamp)" opacity=".6"/></svg>Stagedoor</span><span class="badge">Sandbox, no real money</span></div></header>
<main id="main">${main}</main>
</body>
</html>
`;

/** The page of an open checkout. */
export function checkoutPage({ session, wanted }: StoredSession, now: number, wasDeclined: boolean): string {
  const amount = money(wanted.amount, wanted.currency);
  // The provider keeps the page open for a minute more than the half hour that people are told.
  const minutes = Math.max(1, Math.floor((session.expires_at - now) / 60) - 1);
  const refusal = wasDeclined
    ? `<p class="note cherry" role="alert"><strong>The bank declined this payment.</strong> Nothing was charged. You can try again.</p>`
    : "";
  return page(
    `${amount}: sandbox checkout`,
    `<p class="quiet">${safe(wanted.title)}</p>
<h1 class="amount">${safe(amount)}</h1>
<div class="sheet">
${about(wanted)}
<dl class="lines"><div><dt>To pay now</dt><dd>${safe(amount)}</dd></div>${wanted.email ? `<div><dt>Paid by</dt><dd>${safe(wanted.email)}</dd></div>` : ""}</dl>
${refusal}<p class="note">${remaining(wanted.metadata["kind"] === "deposit", minutes)}</p>
<div class="acts">${button(session.id, "pay", "Pay", "big")}${button(session.id, "decline", "Decline")}${button(session.id, "cancel", "Cancel")}</div>
</div>
<p class="small quiet">This page stands in for the card provider. Pay answers as a bank that approves, Decline as one that refuses. No card number is asked for anywhere.</p>`,
  );
}

function remaining(isDeposit: boolean, minutes: number): string {
  const left = `${minutes} more ${minutes === 1 ? "minute" : "minutes"}`;
  return isDeposit
    ? `<strong>The date is held for you for ${left}.</strong> After that it is free for others again.`
    : `<strong>This page is open for ${left}.</strong> After that it can no longer be paid.`;
}

function about(wanted: StoredSession["wanted"]): string {
  const lines = (wanted.description ?? "").split(" · ").filter((line) => line !== "");
  const image = wanted.images[0] ? `<img src="${safe(wanted.images[0])}" alt="">` : "";
  if (lines.length === 0 && image === "") return "";
  return `<div class="who">${image}<div>${lines.map((line) => `<p>${safe(line)}</p>`).join("")}</div></div>`;
}

const button = (id: string, act: string, label: string, look = "") =>
  `<form method="post" action="/sandbox/checkout/${safe(id)}/${act}"><button${look ? ` class="${look}"` : ""}>${label}</button></form>`;

/** The page of a checkout that is paid or over. */
export function closedPage({ session, wanted }: StoredSession): string {
  const paid = session.status === "complete";
  const back = paid ? wanted.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", session.id) : wanted.cancelUrl;
  const words = paid
    ? "This payment went through. You will not be charged again."
    : "Nothing was charged. Go back to start again.";
  const link = back ? `<a class="btn" href="${safe(back)}">Back to Stagedoor</a>` : "";
  return page(
    paid ? "Already paid" : "Checkout ended",
    `<h1>${paid ? "Already paid" : "This checkout has ended"}</h1><div class="sheet"><p>${words}</p>${link}</div>`,
  );
}

/** The page for an address that belongs to no checkout. */
export const lostPage = (): string =>
  page(
    "Not found",
    `<h1>No such checkout</h1><div class="sheet"><p>This address belongs to no payment page.</p></div>`,
  );
