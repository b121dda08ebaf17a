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
  return (
    <BarChart
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
      yAxisProps={{ width: 72, tickCount: 4 }}
      barProps={{ isAnimationActive: false, stroke: "var(--sheet)", strokeWidth: 1 }}
    />
  );
}
