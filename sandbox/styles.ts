export const checkoutStyles = `
main { width: min(30rem, 100% - 2.5rem); margin: 3.5rem auto 0; padding-bottom: 2.5rem; }
.mast .wrap { justify-content: space-between; flex-wrap: wrap; }
h1 { font-size: 4.5rem; line-height: 0.95; overflow-wrap: anywhere; }
h1.amount { font-size: 6.5rem; line-height: 0.9; margin-top: -0.6rem; font-variant-numeric: tabular-nums; }
main > .small { margin-top: 1rem; }
main > .note { max-width: none; margin-bottom: 1rem; }
main .sheet { margin-top: 1.5rem; padding: 1.5rem; display: grid; gap: 1.25rem; }
main:has(.stage) { width: min(58rem, 100% - 2.5rem); }
main .checkout { padding: 0; gap: 0; overflow: clip; margin-top: 0; }
.checkout:has(.stage) { grid-template-columns: minmax(0, 0.6fr) minmax(0, 1fr); }
.stage { display: grid; place-items: center; padding: 1.75rem; background: light-dark(#ece6de, #0e0b12); }
.stage img { width: 100%; aspect-ratio: 3 / 4; object-fit: cover; border-radius: var(--r-1); box-shadow: var(--lift); background: var(--well); }
.what { display: grid; gap: 1.1rem; padding: 1.75rem min(2.25rem, 5vw); min-width: 0; align-content: center; }
.what .title { font: 400 1.5rem/1.1 var(--display); overflow-wrap: anywhere; }
.who { padding-bottom: 0.75rem; border-bottom: 1px solid var(--rule); }
progress { display: block; width: 100%; height: 4px; margin-top: 0.6rem; border: 0; appearance: none; background: color-mix(in oklab, currentColor 25%, transparent); color: inherit; }
progress::-webkit-progress-bar { background: none; }
progress::-webkit-progress-value { background: currentColor; }
progress::-moz-progress-bar { background: currentColor; }
.others summary { color: var(--accent); cursor: pointer; min-height: 2.75rem; align-content: center; font-size: var(--t-sm); }
.others .actions { margin-top: 0.6rem; }
.who p:first-child { font-size: var(--t-md); font-weight: 600; color: var(--ink); }
.who p { overflow-wrap: anywhere; font-size: var(--t-sm); color: var(--ink-2); }
.who p + p { margin-top: 0.3rem; }
.lines > div { display: flex; justify-content: space-between; gap: 1rem; padding-block: 0.55rem; border-bottom: 1px solid var(--rule); }
.lines > div:last-child { border: 0; }
.lines dd { text-align: end; min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; }
.actions:not(.even) form:first-child, .actions:not(.even) form:last-child:nth-child(even) { grid-column: 1 / -1; }
.actions.pays form:first-child { grid-column: 1 / -1; }
.later { display: grid; gap: 0.3rem; font-size: var(--t-sm); }
.left { font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (max-width: 767.98px) {
  main { margin-top: 1.75rem; }
  .checkout:has(.stage) { grid-template-columns: minmax(0, 1fr); }
  .stage { padding: 1.25rem; }
  .stage img { width: 6rem; }
  .pays { order: 1; position: sticky; bottom: 0; margin-bottom: -1.75rem; margin-inline: -5vw; padding: 0.75rem 5vw; border-top: 1px solid var(--rule-2); background: var(--sheet); }
  h1 { font-size: 3rem; }
  h1.amount { font-size: 4.5rem; }
  .actions.even:not(.pays, .others *) { grid-template-columns: minmax(0, 1fr); }
}
`;

/** Counts an open checkout down every second, and reloads the page a minute after its end. Without scripts the page shows whole minutes. */
export const countdownScript = `
const clock = document.querySelector("[data-seconds-left]");
const bar = document.querySelector("progress");
const end = performance.now() + Number(clock?.dataset.secondsLeft) * 1000;
const show = () => {
  const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
  clock.textContent = Math.floor(left / 60) + " min " + String(left % 60).padStart(2, "0") + " s";
  if (bar) bar.value = left;
  if (left > 0) setTimeout(show, 1000);
  else setTimeout(() => location.reload(), 61000);
};
if (clock) show();
`;
