import { formatMoney } from "#platform/money.rules.ts";
import { formatMonthOf } from "#platform/time/calendar.rules.ts";
import type { MonthAmounts, MonthSeries } from "./month-chart.tsx";
import { scaleFor } from "./scale.ts";
import styles from "./month-chart.module.css";

type Props<Name extends string> = Readonly<{
  months: readonly MonthAmounts<Name>[];
  series: readonly MonthSeries<Name>[];
  currency: string;
}>;

/** Stacked bars on a scale of round amounts. Hidden from screen readers, which read the table. */
export function MonthBars<Name extends string>({ months, series, currency }: Props<Name>) {
  const amountOf = (one: MonthAmounts<Name>, name: Name) => Math.max(0, one[name]);
  const sumOf = (one: MonthAmounts<Name>) => series.reduce((sum, { name }) => sum + amountOf(one, name), 0);
  const { top, ticks } = scaleFor(Math.max(...months.map(sumOf)));
  const share = (cents: number) => `${(100 * cents) / top}%`;
  return (
    <div className={styles.bars}>
      <ul className={styles.ticks}>
        {ticks.map((cents) => (
          <li key={cents} style={{ bottom: share(cents) }}>
            <span>{formatMoney(cents, currency)}</span>
          </li>
        ))}
      </ul>
      <ul className={styles.months}>
        {months.map((one) => (
          <li
            key={one.month}
            title={series.map(({ name, label }) => `${label} ${formatMoney(one[name], currency)}`).join(", ")}
          >
            <span>
              {series.map(({ name, color }) => (
                <i key={name} style={{ height: share(amountOf(one, name)), background: color }} />
              ))}
            </span>
            <small>{formatMonthOf(`${one.month}-01`).slice(0, 3)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
