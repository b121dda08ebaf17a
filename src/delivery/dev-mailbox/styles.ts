export const mailboxStyles = `
body { display: flex; flex-direction: column; }
main { flex: 1; padding-bottom: 4.5rem; }
.mast .wrap { flex-wrap: wrap; justify-content: space-between; }
.title { padding-block: 2.25rem 1.5rem; } .title p { margin-top: 0.6rem; color: var(--ink-2); font-size: 1.1875rem; }
.clock { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; margin-bottom: 1.25rem; padding-block: 0.75rem; border-block: 1px solid var(--rule); } .clock p { flex: 1 1 20rem; } .clock strong { font-weight: 600; } .moves { display: flex; flex-wrap: wrap; gap: 0.6rem; } .clock .note, .moving { flex: 1 0 100%; } .moving { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; } .moving p { flex: 0 1 auto; } .moving progress { flex: 1 1 12rem; accent-color: var(--accent); } .moves [aria-disabled] { opacity: 0.55; }
.filt { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-bottom: 1.25rem; }
.filt .in { width: auto; } .filt input { flex: 0 1 22rem; min-width: 0; }
.box { display: grid; grid-template-columns: 24rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
.list { border: 1px solid var(--rule); border-radius: var(--r-2); background: var(--sheet); overflow: auto; max-height: 62rem; }
.list a { display: grid; gap: 0.1rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--rule); color: inherit; text-decoration: none; font-size: 0.9375rem; line-height: 1.4; } .list li:last-child a { border: 0; }
.list a:hover { background: var(--wash); } .list a:focus-visible { outline-offset: -3px; } .list [aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }
.list strong { font-weight: 600; overflow-wrap: anywhere; } .top { display: flex; justify-content: space-between; gap: 0.75rem; font-size: 0.8125rem; color: var(--ink-2); } .top span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .top span + span { flex: none; } .quiet { color: var(--ink-2); font-size: 0.875rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: space-between; align-items: end; margin-bottom: 1rem; }
.head { display: grid; gap: 0.1rem; font-size: 0.875rem; min-width: 0; } .head div { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); } .head dt { color: var(--ink-2); } .head dd { overflow-wrap: anywhere; }
.seg { display: inline-flex; border: 1px solid var(--rule-2); border-radius: var(--r-2); overflow: hidden; } .seg a { display: grid; place-items: center; padding: 0.3rem 0.8rem; min-height: 2.25rem; font: 600 0.875rem/1.2 var(--text); color: var(--ink); text-decoration: none; } .seg a + a { border-inline-start: 1px solid var(--rule-2); } .seg a:hover { background: var(--well); } .seg [aria-current] { background: var(--ink); color: var(--stock); } .seg a:focus-visible { outline-offset: -3px; }
.email { display: block; width: 100%; height: 54rem; border: 1px solid var(--rule); background: var(--stock); box-shadow: var(--lift); }
pre { background: var(--sheet); border: 1px solid var(--rule); padding: 1.5rem; max-height: 46rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.9375rem/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.none { padding: 2rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: var(--r-2); } .none h2 { font: 400 2.125rem/1 var(--display); margin-bottom: 0.5rem; }
.foot { margin-top: 0; }
@media (max-width: 1000px) { .box { grid-template-columns: 18rem minmax(0, 1fr); } }
@media (max-width: 767.98px) { .box { grid-template-columns: minmax(0, 1fr); } .list { max-height: 24rem; } .filt .in { flex: 1 1 8rem; } .filt input.in { flex-basis: 100%; } pre { padding: 1.25rem; } }
`;
