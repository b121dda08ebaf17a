export const checkoutStyles = `
main { width: min(30rem, 100% - 2.5rem); margin: 3.5rem auto 0; padding-bottom: 2.5rem; }
.mast .wrap { justify-content: space-between; flex-wrap: wrap; }
h1 { font-size: 4.5rem; line-height: 0.95; overflow-wrap: anywhere; }
h1.amount { font-size: 6.5rem; line-height: 0.9; margin-top: 0.3rem; font-variant-numeric: tabular-nums; }
main > .small { margin-top: 1rem; }
main .sheet { margin-top: 1.5rem; padding: 1.5rem; display: grid; gap: 1.25rem; }
.who { display: grid; grid-template-columns: auto 1fr; gap: 1rem; align-items: center; padding-bottom: 1rem; border-bottom: 1px solid var(--rule); }
.who img { width: 4.5rem; aspect-ratio: 3 / 4; object-fit: cover; border-radius: var(--r-1); background: var(--well); }
.who p:first-child { font: 400 1.5rem/1.1 var(--display); color: var(--ink); margin-bottom: 0.2rem; }
.who p { overflow-wrap: anywhere; font-size: var(--t-sm); color: var(--ink-2); }
.lines > div { display: flex; justify-content: space-between; gap: 1rem; padding-block: 0.55rem; border-bottom: 1px solid var(--rule); }
.lines > div:last-child { border: 0; }
.lines dd { text-align: end; min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; }
.actions:not(.even) form:first-child, .actions:not(.even) form:last-child { grid-column: 1 / -1; }
.later { display: grid; gap: 0.3rem; font-size: var(--t-sm); }
.left { font-variant-numeric: tabular-nums; }
@media (max-width: 767.98px) {
  main { margin-top: 1.75rem; }
  h1 { font-size: 3rem; }
  h1.amount { font-size: 5.5rem; }
  .actions.even { grid-template-columns: minmax(0, 1fr); }
}
`;

/** Counts an open checkout down every second, and reloads the page a minute after its end. Without scripts the page shows whole minutes. */
export const countdownScript = `
const clock = document.querySelector("[data-seconds-left]");
const end = performance.now() + Number(clock?.dataset.secondsLeft) * 1000;
const show = () => {
  const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
  clock.textContent = Math.floor(left / 60) + " min " + String(left % 60).padStart(2, "0") + " s";
  if (left > 0) setTimeout(show, 1000);
  else setTimeout(() => location.reload(), 61000);
};
if (clock) show();
`;
