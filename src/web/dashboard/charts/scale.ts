const roundSteps = [1, 2, 2.5, 5, 10] as const;
const mostTicks = 4;

/** Returns a scale from 0 to at least `most` cents in at most four equal steps of a round number of whole units. */
export function scaleFor(most: number): { top: number; ticks: readonly number[] } {
  const wanted = Math.max(1, most / 100 / mostTicks);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = 100 * power * (roundSteps.find((one) => one * power >= wanted) ?? 10);
  const count = Math.max(1, Math.ceil(most / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) };
}
