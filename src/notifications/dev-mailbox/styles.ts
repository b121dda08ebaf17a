/** The look of the outbox page: the house's colours and faces, in one small sheet that needs no build. */
export const mailboxStyles = (brand: string) => `
@font-face { font-family: "League Gothic"; src: url("/dev/outbox/fonts/display.woff2") format("woff2"); font-stretch: 75% 100%; font-display: swap; }
@font-face { font-family: "Public Sans"; src: url("/dev/outbox/fonts/text.woff2") format("woff2"); font-weight: 100 900; font-display: swap; }
:root {
  color-scheme: light dark; --brand: ${brand};
  --low: oklch(from var(--brand) min(l, 0.55) c h); --high: oklch(from var(--brand) max(l, 0.64) c h);
  --stock: light-dark(#f5f2ed, #141119); --sheet: light-dark(#fdfcfa, #1d1924); --well: light-dark(#ebe6df, #26212f);
  --ink: light-dark(#1e1928, #f4eee4); --ink-2: light-dark(#5b5463, #bab1bc); --rule: light-dark(#dbd4cc, #383141);
  --rule-2: light-dark(#867d86, #837a8c); --lamp: light-dark(#f5bd4f, #ffc862);
  --accent: light-dark(color-mix(in oklab, var(--low) 86%, #140c30), color-mix(in oklab, var(--high) 58%, #fff4e2));
  --on-accent: light-dark(#fff, #17121f); --wash: color-mix(in oklab, var(--brand) 10%, var(--sheet)); --ring: light-dark(var(--accent), var(--lamp));
  --gold-p: light-dark(#f9e2a0, #443514); --gold-i: light-dark(#583f00, #fbd77c);
  --display: "League Gothic", "Arial Narrow", Impact, sans-serif; --text: "Public Sans", "Helvetica Neue", Arial, sans-serif;
}
*, ::before, ::after { box-sizing: border-box; } * { margin: 0; } ul { padding: 0; list-style: none; }
html { font: 400 100%/1.55 var(--text); color: var(--ink); background: var(--stock); -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; display: flex; flex-direction: column; } main { flex: 1; padding-bottom: 4.5rem; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: 2px; }
a { color: var(--accent); text-underline-offset: 0.18em; }
.wrap { width: min(75rem, 100% - 2.5rem); margin-inline: auto; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; padding: 0.6rem 1rem; background: var(--ink); color: var(--stock); } .skip:focus { top: 0.5rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.mast { border-bottom: 1px solid var(--rule); } .mast .wrap { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4rem; }
.name { display: inline-flex; align-items: center; gap: 0.6rem; font: 400 1.75rem/1 var(--display); color: var(--ink); text-decoration: none; } .name svg { width: 1.6rem; flex: none; display: block; }
.slip { display: inline-flex; min-width: 0; align-items: center; gap: 0.4rem; padding: 0.14rem 0.5rem; border-radius: 2px; background: var(--gold-p); color: var(--gold-i); font: 600 0.8125rem/1.4 var(--text); }
.slip::before { content: ""; width: 0.65rem; height: 0.65rem; border-radius: 50%; border: 1.5px solid; background: conic-gradient(currentColor 50%, transparent 0); flex: none; }
.title { padding-block: 2.25rem 1.5rem; } h1 { font: 400 3rem/1 var(--display); } .title p { margin-top: 0.6rem; color: var(--ink-2); font-size: 1.1875rem; }
.filt { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-bottom: 1.25rem; }
.in { font: inherit; color: inherit; min-height: 2.75rem; padding: 0.5rem 0.75rem; background: var(--sheet); border: 1px solid var(--rule-2); border-radius: 4px; } .filt input { flex: 0 1 22rem; min-width: 0; } .in::placeholder { color: var(--ink-2); opacity: 1; }
.btn { font: 600 0.9375rem/1.2 var(--text); min-height: 2.75rem; padding: 0.5rem 1.15rem; border: 1.5px solid var(--rule-2); border-radius: 4px; background: transparent; color: var(--ink); cursor: pointer; } .btn:hover { background: var(--well); }
.box { display: grid; grid-template-columns: 24rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
.list { border: 1px solid var(--rule); border-radius: 4px; background: var(--sheet); overflow: auto; max-height: 62rem; }
.list a { display: grid; gap: 0.1rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--rule); color: inherit; text-decoration: none; font-size: 0.9375rem; line-height: 1.4; } .list li:last-child a { border: 0; }
.list a:hover { background: var(--wash); } .list a:focus-visible { outline-offset: -3px; } .list [aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }
.list strong { font-weight: 600; overflow-wrap: anywhere; } .top { display: flex; justify-content: space-between; gap: 0.75rem; font-size: 0.8125rem; color: var(--ink-2); } .top span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .top span + span { flex: none; } .quiet { color: var(--ink-2); font-size: 0.875rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: space-between; align-items: end; margin-bottom: 1rem; }
.head { display: grid; gap: 0.1rem; font-size: 0.875rem; min-width: 0; } .head div { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); } .head dt { color: var(--ink-2); } .head dd { overflow-wrap: anywhere; }
.seg { display: inline-flex; border: 1px solid var(--rule-2); border-radius: 4px; overflow: hidden; } .seg a { display: grid; place-items: center; padding: 0.3rem 0.8rem; min-height: 2.25rem; font: 600 0.875rem/1.2 var(--text); color: var(--ink); text-decoration: none; } .seg a + a { border-inline-start: 1px solid var(--rule-2); } .seg a:hover { background: var(--well); } .seg [aria-current] { background: var(--ink); color: var(--stock); } .seg a:focus-visible { outline-offset: -3px; }
.email { display: block; width: 100%; height: 54rem; border: 1px solid var(--rule); background: var(--stock); box-shadow: 0 1px 1px rgb(30 20 40 / 0.06), 0 8px 24px -12px rgb(30 20 40 / 0.28); }
pre { background: var(--sheet); border: 1px solid var(--rule); padding: 1.5rem; max-height: 46rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.9375rem/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.none { padding: 2rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: 4px; } .none h2 { font: 400 2.125rem/1 var(--display); margin-bottom: 0.5rem; }
.foot { padding-block: 2rem; border-top: 1px solid var(--rule); font-size: 0.875rem; color: var(--ink-2); } .foot .wrap { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between; align-items: center; }
@media (max-width: 1000px) { .box { grid-template-columns: 18rem minmax(0, 1fr); } }
@media (max-width: 767.98px) { .box { grid-template-columns: minmax(0, 1fr); } .list { max-height: 24rem; } .filt .in { flex: 1 1 8rem; } .mast .wrap { min-height: 3.5rem; } .name { font-size: 1.5rem; } pre { padding: 1.25rem; } }
`;
