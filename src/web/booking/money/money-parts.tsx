import { formatMoneyExact } from "#platform/money.rules.ts";
import { dayOfEvent, partName, partNext, partSince, partTones } from "./part-labels.ts";
import type { ShownBooking } from "../progress.ts";
import styles from "./money-parts.module.css";

export function MoneyParts({ booking }: Readonly<{ booking: ShownBooking }>) {
  const { money, currency, viewer } = booking;
  const { parts, if_canceled: canceled } = money;
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  if (parts.length === 0) return <p className="quiet">Nothing was paid, and nothing is due.</p>;
  const promoter = viewer === "promoter" || viewer === "guest" ? "you cancel" : "the promoter cancels";
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {parts.map((held, at) => (
          <i key={at} data-part={partTones[held.held_by]} style={{ flexGrow: held.cents }} />
        ))}
      </div>
      <ul className={styles.list} aria-label="Where the money is">
        {parts.map((held, at) => {
          const next = partNext(held, booking);
          return (
            <li key={at}>
              <i data-part={partTones[held.held_by]} aria-hidden />
              <span>
                <strong>{partName(held, booking)}</strong> <span className="quiet">{partSince(held)}</span>
              </span>
              <span className="num">{sum(held.cents)}</span>
              {next ? <small>{next}</small> : null}
            </li>
          );
        })}
      </ul>
      {canceled ? (
        <p className={styles.canceled}>
          If {promoter} now, {sum(canceled.refund_cents)} is refunded
          {canceled.until ? `. This amount is good until ${dayOfEvent(canceled.until, booking)}` : ""}.
        </p>
      ) : null}
    </>
  );
}
