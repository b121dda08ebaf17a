import { useInViewport } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { formatMonthOf } from "#platform/time/calendar.rules.ts";
import styles from "./month-chart.module.css";

const MonthBars = lazy(() => import("./month-bars.tsx"));

export type MonthSeries<Name extends string> = Readonly<{ name: Name; label: string; color: string }>;
export type MonthAmounts<Name extends string> = Readonly<{ month: string } & Record<Name, number>>;

type Props<Name extends string> = Readonly<{
  title: string;
  text: string;
  /** Amounts in cents per month (YYYY-MM), oldest first. */
  months: readonly MonthAmounts<Name>[];
  series: readonly MonthSeries<Name>[];
  currency: string;
  otherCurrencies: readonly string[];
  empty: string;
}>;

const currencyName = (currency: string): string | undefined =>
  new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay: "name" })
    .formatToParts(2)
    .find(({ type }) => type === "currency")?.value;

/** Stacked bars per month, and the same amounts as a table. The height stays constant while the bars load. */
export function MonthChart<Name extends string>({
  title,
  text,
  months,
  series,
  currency,
  otherCurrencies,
  empty,
}: Props<Name>) {
  const { ref, inViewport } = useInViewport();
  const [isSeen, setSeen] = useState(false);
  if (inViewport && !isSeen) setSeen(true);
  const isEmpty = months.every((one) => series.every(({ name }) => one[name] === 0));
  const hasNegative = months.some((one) => series.some(({ name }) => one[name] < 0));
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <p className="small quiet">{text}</p>
      <ul className={styles.legend} aria-hidden>
        {series.map(({ name, label, color }) => (
          <li key={name}>
            <i style={{ background: color }} />
            {label}
          </li>
        ))}
      </ul>
      <div ref={ref} className={styles.chart} aria-hidden>
        {isEmpty ? (
          <p className={styles.empty}>{empty}</p>
        ) : isSeen ? (
          <Suspense fallback={null}>
            <MonthBars months={months} series={series} currency={currency} />
          </Suspense>
        ) : null}
      </div>
      {hasNegative ? <p className="small quiet">In a month below zero, more was returned than paid.</p> : null}
      {otherCurrencies.length > 0 ? (
        <p className="small quiet">Amounts in {otherCurrencies.map(currencyName).join(" and ")} are not shown.</p>
      ) : null}
      <details className={styles.details}>
        <summary>Show as a table</summary>
        <AmountTable title={title} months={months} series={series} currency={currency} />
      </details>
    </section>
  );
}

function AmountTable<Name extends string>({
  title,
  months,
  series,
  currency,
}: Pick<Props<Name>, "title" | "months" | "series" | "currency">) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${title} by month`}>
      <table className="num">
        <caption className="sr">{title} by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((one) => (
            <tr key={one.month}>
              <th scope="row">{formatMonthOf(`${one.month}-01`)}</th>
              {series.map(({ name }) => (
                <td key={name}>{formatMoneyExact(one[name], currency)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
