import { formatMoneyExact } from "#platform/money.rules.ts";
import { useRefreshBookings } from "../../lib/api/booking-page.ts";
import { AutomaticPayment } from "./automatic-payment.tsx";
import { momentText, type ShownBooking } from "../progress.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { MoneyParts } from "./money-parts.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "../booking.module.css";
import parts from "./money-parts.module.css";
import { DetailRow } from "../details/detail-row.tsx";
import { Payout } from "./payout.tsx";

export function MoneySection({ booking }: Readonly<{ booking: ShownBooking }>) {
  const { fee_cents: fee, money } = booking;
  const refresh = useRefreshBookings();
  return (
    <section className={styles.section}>
      <h2>Money</h2>
      {fee === 0 ? (
        <p className="quiet">The price is on request. Nothing is due.</p>
      ) : (
        <>
          <MoneyParts booking={booking} />
          <AutomaticPayment booking={booking} onChanged={refresh} />
          <Movements booking={booking} />
          {money.commission_cents === null ? null : <Earnings booking={booking} />}
          <Payout booking={booking} />
          {money.payments.some((payment) => payment.status !== "succeeded") ? <Attempts booking={booking} /> : null}
        </>
      )}
    </section>
  );
}

const movementNames = {
  deposit: "Deposit",
  balance: "Balance",
  refund: "Refunded to the payer",
  refund_undone: "A refund came back",
  refund_by_dispute: "Refund that the bank's withdrawal replaces",
  release: "Released after the show",
  dispute_withdrawn: "Taken by the payer's bank in a dispute",
  dispute_reinstated: "Returned by the payer's bank",
  dispute_lost: "Lost dispute, borne by the artist and Stagedoor",
  dispute_regained: "Held until an admin decides",
} as const;

function Movements({ booking }: Readonly<{ booking: ShownBooking }>) {
  const { money, currency } = booking;
  const planned = plannedOf(booking);
  if (money.movements.length === 0 && planned.length === 0) return null;
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  const signed = (cents: number) => `${cents < 0 ? "−" : "+"}\u00a0${sum(Math.abs(cents))}`;
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="What is held, step by step">
      <table className={`num ${styles.ledger}`}>
        <caption className="sr">What came and went, and what we hold after it</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Amount</th>
            <th scope="col">Held after</th>
          </tr>
        </thead>
        <tbody>
          {money.movements.map(({ at, kind, amount_cents, held_after_cents }, row) => (
            <tr key={row}>
              <td>{momentText(at)}</td>
              <td>{movementNames[kind]}</td>
              <td>{signed(amount_cents)}</td>
              <td>{sum(held_after_cents)}</td>
            </tr>
          ))}
          {planned.map(({ when, what, cents, after }) => (
            <tr key={what} className="quiet">
              <td>{when}</td>
              <td>{what} (planned)</td>
              <td>{signed(cents)}</td>
              <td>{sum(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Planned = { when: string; what: string; cents: number; after: number };

function plannedOf({ status, money, event_date: date }: ShownBooking): Planned[] {
  if (status === "completed" || status === "canceled") return [];
  const depositOpen = money.outstanding_cents > money.balance_cents || status === "initiated" ? money.deposit_cents : 0;
  const balanceOpen = money.outstanding_cents - depositOpen;
  let held = money.movements.at(-1)?.held_after_cents ?? 0;
  const step = (when: string, what: string, cents: number): Planned => ({ when, what, cents, after: (held += cents) });
  return [
    ...(depositOpen > 0 ? [step("now", "Deposit", depositOpen)] : []),
    ...(balanceOpen > 0
      ? [
          step(
            money.balance_due
              ? formatDay(money.balance_due, { short: true })
              : status === "contract_signed"
                ? "now"
                : "once signed",
            "Balance",
            balanceOpen,
          ),
        ]
      : []),
    ...(held > 0 ? [step(formatDay(date, { short: true }), "Released after the show", -held)] : []),
  ];
}

function Earnings({ booking }: Readonly<{ booking: ShownBooking }>) {
  const { money, currency } = booking;
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  // Once the booking has ended, what was really released counts: less what went back, was disputed or was never paid.
  const ended =
    ["completed", "canceled"].includes(booking.status) && money.held_cents === 0 && money.artist_cents !== null;
  const lost = ended ? money.fee_cents - money.released_cents : 0;
  const commission = ended ? money.released_cents - (money.artist_cents ?? 0) : (money.commission_cents ?? 0);
  const net = money.fee_cents - lost - commission;
  return (
    <>
      <h3 className={styles.pays}>{booking.viewer === "artist" ? "What this show pays" : "What the artist gets"}</h3>
      <div className={`${parts.bar} ${parts.thin}`} aria-hidden>
        {net > 0 ? <i data-part="artist" style={{ flexGrow: net }} /> : null}
        {commission > 0 ? <i data-part="released" style={{ flexGrow: commission }} /> : null}
        {lost > 0 ? <i data-part="returned" style={{ flexGrow: lost }} /> : null}
      </div>
      <dl className={`num ${styles.earnings}`}>
        <DetailRow label="Gross">{sum(money.fee_cents)}</DetailRow>
        {lost > 0 ? <DetailRow label="Returned, disputed or unpaid">−&nbsp;{sum(lost)}</DetailRow> : null}
        <DetailRow label="Commission">−&nbsp;{sum(commission)}</DetailRow>
        <DetailRow label="Net">
          <strong>{sum(net)}</strong>
        </DetailRow>
        {money.provider_fee_cents ? (
          <DetailRow label="Payment service">−&nbsp;{sum(money.provider_fee_cents)}, paid by us</DetailRow>
        ) : null}
      </dl>
    </>
  );
}

function Attempts({ booking }: Readonly<{ booking: ShownBooking }>) {
  const unusual = booking.money.payments.filter((payment) => payment.status !== "succeeded");
  return (
    <ul className={styles.attempts} aria-label="Payments">
      {unusual.map(({ id, kind, amount, currency, status }) => (
        <li key={id}>
          <span className="num">
            {kind === "deposit" ? "Deposit" : "Balance"}, {formatMoneyExact(amount, currency)}
          </span>
          <StatusBadge entity="payment" value={status} />
        </li>
      ))}
    </ul>
  );
}
