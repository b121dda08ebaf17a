import { formatMoney } from "#platform/money.rules.ts";
import { formatDayAndMonth, localMoment } from "../../lib/format/dates.ts";
import { type Canceler, figureLabels } from "./cancel-reasons.ts";
import type { Figures } from "./use-cancellation.ts";
import styles from "./cancellation.module.css";

const dayWidth = { wide: 0.1, narrow: 0.22 };
const size = { width: 600, height: 130, top: 12 };

type Label = Readonly<{ at: number; text: string }>;

export function spacedLabels(labels: readonly Label[], space: number): Label[] {
  const last = labels.at(-1);
  const fitting: Label[] = [];
  for (const label of labels) {
    const before = fitting.at(-1);
    const fits = (before ? label.at - before.at >= space : true) && (last ? last.at - label.at >= space : true);
    if (fits) fitting.push(label);
  }
  return last ? [...fitting, last] : fitting;
}

export function RefundCurve({ figures, now }: Readonly<{ figures: Figures; now: Date }>) {
  const end = new Date(figures.steps.at(-1)?.until ?? now).getTime();
  const span = end - now.getTime();
  const refunds = [figures.refund_cents, ...figures.steps.map((step) => step.refund_cents)];
  const highest = Math.max(...refunds);
  if (span <= 0) return null;
  if (refunds.every((cents) => cents === highest))
    return highest > 0 ? (
      <p className="small">The refund is {formatMoney(highest, figures.currency)} until the show.</p>
    ) : null;
  const part = (at: string) => (new Date(at).getTime() - now.getTime()) / span;
  const x = (at: string) => Math.round(part(at) * size.width);
  const y = (cents: number) => size.top + Math.round((1 - cents / highest) * (size.height - size.top));
  let path = `M0 ${y(figures.refund_cents)}`;
  for (const { refund_cents, until } of figures.steps) path += `V${y(refund_cents)}H${x(until)}`;
  const amounts = [...new Set([...refunds, 0])].sort((one, other) => other - one);
  const steps = figures.steps.map(({ until }, index) => ({
    at: part(until),
    text: index === figures.steps.length - 1 ? "the show" : formatDayAndMonth(localMoment(until).day, { short: true }),
  }));
  // A step that is close to now replaces its label.
  const all = steps.some(({ at }) => at < dayWidth.wide) ? steps : [{ at: 0, text: "now" }, ...steps];
  const days = spacedLabels(all, dayWidth.wide);
  const onPhone = spacedLabels(days, dayWidth.narrow);
  return (
    <div className={`num ${styles.chart}`} aria-hidden>
      <p className={styles.amounts}>
        {spacedLabels(
          amounts.map((cents) => ({ at: y(cents) / size.height, text: formatMoney(cents, figures.currency) })),
          0.14,
        ).map(({ at, text }) => (
          <span key={text} style={{ top: `${at * 100}%` }}>
            {text}
          </span>
        ))}
      </p>
      <svg className={styles.curve} viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none">
        {amounts.map((cents) => (
          <path key={cents} className={styles.grid} d={`M0 ${y(cents)}H${size.width}`} />
        ))}
        <path className={styles.area} d={`${path}V${size.height}H0Z`} />
        <path className={styles.line} d={path} />
        {/* A path without length renders as a round dot in a stretched picture. */}
        <path className={styles.today} d={`M0 ${y(figures.refund_cents)}h0`} />
      </svg>
      <p className={styles.axis}>
        {days.map((day) => (
          <span
            key={day.text}
            className={onPhone.includes(day) ? undefined : styles.wide}
            style={{ insetInlineStart: `${day.at * 100}%`, translate: `${day.at * -100}%` }}
          >
            {day.text}
          </span>
        ))}
      </p>
    </div>
  );
}

const untilText = (until: string, isShow: boolean): string => {
  if (isShow) return "until the show";
  const { day, time } = localMoment(until);
  return `until ${formatDayAndMonth(day)}, ${time}`;
};

export function RefundTable({ figures, canceler }: Readonly<{ figures: Figures; canceler: Canceler }>) {
  const [refund, retained] = figureLabels[canceler];
  const sum = (cents: number) => formatMoney(cents, figures.currency);
  const last = figures.steps.length - 1;
  return (
    <table className={`${styles.days} num`}>
      <caption className="sr">What happens with the money, by the day of the cancellation</caption>
      <thead>
        <tr>
          <th scope="col">If canceled</th>
          <th scope="col">{refund}</th>
          <th scope="col">{retained}</th>
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
