import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatMonthOf } from "#platform/time/calendar.rules.ts";
import type { MonthAmounts, MonthSeries } from "./month-chart.tsx";

type Props = Readonly<{
  months: readonly MonthAmounts<string>[];
  series: readonly MonthSeries<string>[];
  currency: string;
}>;

export default function MonthBars({ months, series, currency }: Props) {
  const highest = Math.max(...months.map((one) => series.reduce((sum, { name }) => sum + (one[name] ?? 0), 0)));
  const ticks = roundTicks(highest);
  return (
    <BarChart
      ref={removeTabStops}
      h="100%"
      // The bars are not focusable, because the table has the amounts for keyboard and screen reader.
      accessibilityLayer={false}
      data={months.map((one) => ({ ...one, month: formatMonthOf(`${one.month}-01`).slice(0, 3) }))}
      dataKey="month"
      type="stacked"
      series={[...series]}
      valueFormatter={(cents) => formatMoney(cents, currency)}
      gridAxis="x"
      gridColor="var(--rule)"
      textColor="var(--ink-2)"
      strokeDasharray={0}
      tickLine="none"
      withBarValueLabel={false}
      maxBarWidth={40}
      xAxisProps={{ interval: "equidistantPreserveStart" }}
      yAxisProps={{ width: 72, ticks, domain: [0, ticks.at(-1) ?? 0] }}
      barProps={{ isAnimationActive: false, stroke: "var(--sheet)", strokeWidth: 1 }}
    />
  );
}

/** Chromium makes SVG elements with focus listeners Tab stops, and React adds such listeners to the layers of the chart. */
function removeTabStops(chart: HTMLElement | null) {
  if (!chart) return;
  const remove = () => {
    for (const layer of chart.querySelectorAll("svg g:not([tabindex])")) layer.setAttribute("tabindex", "-1");
  };
  remove();
  const observer = new MutationObserver(remove);
  observer.observe(chart, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Returns three to five round amounts: steps of 1, 2 or 5 times a power of ten. */
function roundTicks(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 100) / 4));
  const step = power * ([1, 2, 5].find((factor) => factor * power * 4 >= highest) ?? 10);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step);
}
