/** One measured figure beside its bar. */
export type Figure = { what: string; value: number; unit: string; bar: string; ok: boolean; note?: string };

/** A figure that has to reach at least, or at most, a number. */
export const atLeast = (what: string, value: number, bar: number, unit: string, note?: string): Figure => ({
  what,
  value,
  unit,
  bar: `>= ${bar}`,
  ok: value >= bar,
  ...(note ? { note } : {}),
});
export const atMost = (what: string, value: number, bar: number, unit: string, note?: string): Figure => ({
  what,
  value,
  unit,
  bar: `<= ${bar}`,
  ok: value <= bar,
  ...(note ? { note } : {}),
});

/** A figure without a bar: it says what a figure beside it does not. */
export const told = (what: string, value: number, unit: string, note?: string): Figure => ({
  what,
  value,
  unit,
  bar: "no bar",
  ok: true,
  ...(note ? { note } : {}),
});

/** The p-th part of sorted times. */
export const quantile = (times: readonly number[], p: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * p))] ?? Number.NaN;

/** Prints the table and says whether every bar was reached. */
export function printFigures(figures: readonly Figure[]): boolean {
  const width = Math.max(...figures.map((figure) => figure.what.length));
  for (const { what, value, unit, bar, ok, note } of figures) {
    const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2);
    console.log(
      `${ok ? "ok  " : "MISS"} ${what.padEnd(width)} ${shown.padStart(9)} ${unit.padEnd(12)} ${bar}${note ? `  (${note})` : ""}`,
    );
  }
  return figures.every((figure) => figure.ok);
}
