/** One measured figure beside its bar. */
export type Figure = { what: string; value: number; unit: string; bar: string; ok: boolean; note?: string };

/** An operation's throughput: that of the two servers to compare with, and both of the product's as a share. */
export type Row = { what: string; bare: string; packages: string; anew: Figure; cached?: Figure };

const figure = (what: string, value: number, unit: string, bar: string, ok: boolean, note?: string): Figure => ({
  what,
  value,
  unit,
  bar,
  ok,
  ...(note ? { note } : {}),
});

/** A figure that has to reach at least a number. */
export const atLeast = (what: string, value: number, bar: number, unit: string, note?: string): Figure =>
  figure(what, value, unit, `>= ${bar}`, value >= bar, note);
/** A figure that may reach at most a number. */
export const atMost = (what: string, value: number, bar: number, unit: string, note?: string): Figure =>
  figure(what, value, unit, `<= ${bar}`, value <= bar, note);

/** The time below which a share of the measured times lies: 0.95 for p95. */
export const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const verdict = ({ ok }: Figure) => (ok ? "ok  " : "MISS");

/** Prints the operations as a table with one column for responses made anew and one for cached ones. */
export function printRows(rows: readonly Row[]): boolean {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const cell = (one: Figure | undefined) =>
    (one ? `${verdict(one)} ${shown(one.value).padStart(5)} (${one.note}; bar ${one.bar})` : "-").padEnd(46);
  const columns = (what: string, bare: string, packages: string) =>
    `${what.padEnd(width)}  ${bare.padStart(8)}  ${packages.padStart(8)}  `;
  console.log(`${columns("throughput", "bare", "packages")}${"made anew".padEnd(46)}  cached`);
  for (const { what, bare, packages, anew, cached } of rows)
    console.log(`${columns(what, bare, packages)}${cell(anew)}  ${cell(cached).trimEnd()}`);
  return rows.every(({ anew, cached }) => anew.ok && (cached?.ok ?? true));
}

/** Prints figures one below the other and says whether every bar was reached. */
export function printFigures(figures: readonly Figure[]): boolean {
  const width = Math.max(0, ...figures.map(({ what }) => what.length));
  for (const one of figures)
    console.log(
      `${verdict(one)} ${one.what.padEnd(width)} ${shown(one.value).padStart(9)} ${one.unit.padEnd(9)} ${one.bar}${one.note ? `  (${one.note})` : ""}`,
    );
  return figures.every(({ ok }) => ok);
}
