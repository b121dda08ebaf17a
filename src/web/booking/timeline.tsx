import { type BookingResponse, stepsAhead } from "./progress.ts";
import styles from "./booking.module.css";
import { formatRelativeMoment } from "../lib/format/dates.ts";

/** The money section shows amounts and payees. */
const amountsElsewhere: ReadonlySet<BookingResponse["timeline"][number]["kind"]> = new Set([
  "checkout_opened",
  "deposit_paid",
  "balance_paid",
  "paid_out",
]);

export function Timeline({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { timeline, status } = booking;
  const ahead = stepsAhead(booking);
  const live = status !== "completed" && status !== "canceled";
  const last = timeline.findLastIndex(({ kind }) => kind !== "email");
  return (
    <section className={styles.section}>
      <h2>Timeline</h2>
      <p className="small quiet">Times are in your time zone.</p>
      <ol className={styles.timeline}>
        {timeline.map(({ at, kind, text, by, detail }, row) => (
          <li key={row}>
            <time dateTime={new Date(at).toISOString()}>
              <Moment text={formatRelativeMoment(at)} />
            </time>
            <span
              className={styles.dot}
              data-state={live && row === last ? "now" : "done"}
              data-kind={kind}
              aria-hidden
            />
            <span>
              <strong>{text}</strong>
              {(by || detail) && !amountsElsewhere.has(kind) ? (
                <small>{[by, detail].filter(Boolean).join(", ")}</small>
              ) : null}
            </span>
          </li>
        ))}
        {ahead.map(({ title, text, when }) => (
          <li key={title}>
            <span className={styles.when}>{when}</span>
            <span className={styles.dot} aria-hidden />
            <span>
              {title}
              <small>{text}</small>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Moment({ text }: Readonly<{ text: string }>) {
  const end = text.lastIndexOf(" ");
  return (
    <>
      <span className={styles.oneLine}>{text.slice(0, end)}</span>{" "}
      <span className={styles.oneLine}>{text.slice(end + 1)}</span>
    </>
  );
}
