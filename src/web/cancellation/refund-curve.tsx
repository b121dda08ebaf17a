/** What comes back by the day of the cancellation: as a line from now to the show, and the same as a table. */
import { formatMoney } from "#payments/money.rules.ts";
import { formatDayAndMonth, localMoment } from "../lib/format/dates.ts";
import type { CancelReader } from "./reasons.ts";
import { figureLabels } from "./reasons.ts";
import type { Figures } from "./use-cancellation.ts";
import styles from "./cancellation.module.css";

type Props = Readonly<{ figures: Figures; reader: CancelReader; now: Date }>;

const size = { width: 600, height: 130, top: 12 };

/** The line alone; what it says is in the table below, so it is hidden from readers of the screen. */
export function RefundCurve({ figures, now }: Readonly<{ figures: Figures; now: Date }>) {
  const end = new Date(figures.steps.at(-1)?.until ?? now).getTime();
  const span = end - now.getTime();
  const most = Math.max(figures.refund_cents, ...figures.steps.map((step) => step.refund_cents));
  if (span <= 0 || most === 0) return null;
  const x = (at: string) => Math.round(((new Date(at).getTime() - now.getTime()) / span) * size.width);
  const y = (cents: number) => size.top + Math.round((1 - cents / most) * (size.height - size.top));
  let path = `M0 ${y(figures.refund_cents)}`;
  for (const { refund_cents, until } of figures.steps) path += `V${y(refund_cents)}H${x(until)}`;
  return (
    <svg
      className={styles.curve}
      viewBox={`-8 0 ${size.width + 16} ${size.height + 4}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={styles.area} d={`${path}V${size.height}H0Z`} />
      <path className={styles.line} d={path} />
      <circle className={styles.today} cx={0} cy={y(figures.refund_cents)} r={6} />
    </svg>
  );
}

const untilText = (until: string, isShow: boolean): string => {
  if (isShow) return "until the show";
  const { day, time } = localMoment(until);
  return `until ${formatDayAndMonth(day)}, ${time}`;
};

/** The same by day; the row of today is marked. */
export function RefundTable({ figures, reader }: Omit<Props, "now">) {
  const [refund, keeps] = figureLabels[reader];
  const sum = (cents: number) => formatMoney(cents, figures.currency);
  const last = figures.steps.length - 1;
  return (
    <table className={`${styles.days} num`}>
      <caption className="sr">What happens with the money, by the day of the cancellation</caption>
      <thead>
        <tr>
          <th scope="col">If canceled</th>
          <th scope="col">{refund}</th>
          <th scope="col">{keeps}</th>
        </tr>
      </thead>
      <tbody>
        {figures.steps.map((step, index) => (
          <tr key={step.until} data-now={index === 0 || undefined}>
            <th scope="row">
              {index === 0 ? "now, " : ""}
              {untilText(step.until, index === last)}
            </th>
            <td>{sum(step.refund_cents)}</td>
            <td>{sum(step.artist_keeps_cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
