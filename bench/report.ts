export type Figure = { what: string; value: number; unit: string; target: string; ok: boolean; note?: string };

/** An operation's throughput: the bare server's, and the product's as a share of it, uncached and cached. */
export type Row = { what: string; bare: string; uncached: Figure; cached?: Figure };

const figure = (what: string, value: number, unit: string, target: string, ok: boolean, note?: string): Figure => ({
  what,
  value,
  unit,
  target,
  ok,
  ...(note ? { note } : {}),
});

export const atLeast = (what: string, value: number, target: number, unit: string, note?: string): Figure =>
  figure(what, value, unit, `>= ${target}`, value >= target, note);
export const atMost = (what: string, value: number, target: number, unit: string, note?: string): Figure =>
  figure(what, value, unit, `<= ${target}`, value <= target, note);

/** Returns the time below which a share of the measured times is: 0.95 for p95. */
export const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const verdict = ({ ok }: Figure) => (ok ? "ok  " : "MISS");

export function printRows(rows: readonly Row[]): boolean {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const cell = (one: Figure | undefined) =>
    (one ? `${verdict(one)} ${shown(one.value).padStart(5)} of bare (${one.note}; target ${one.target})` : "-").padEnd(
      46,
    );
  console.log(`${"throughput".padEnd(width)}  ${"bare".padStart(8)}  ${"uncached".padEnd(46)}  cached`);
  for (const { what, bare, uncached, cached } of rows)
    console.log(`${what.padEnd(width)}  ${bare.padStart(8)}  ${cell(uncached)}  ${cell(cached).trimEnd()}`);
  return rows.every(({ uncached, cached }) => uncached.ok && (cached?.ok ?? true));
}

/** Prints figures one below the other. Returns true if every target was reached. */
export function printFigures(figures: readonly Figure[]): boolean {
  const width = Math.max(0, ...figures.map(({ what }) => what.length));
  for (const one of figures)
    console.log(
      `${verdict(one)} ${one.what.padEnd(width)} ${shown(one.value).padStart(9)} ${one.unit.padEnd(9)} ${one.target}${one.note ? `  (${one.note})` : ""}`,
    );
  return figures.every(({ ok }) => ok);
}
