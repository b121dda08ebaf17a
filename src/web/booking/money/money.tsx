import { formatMoney } from "#platform/money.rules.ts";
import { attempt } from "../../lib/attempt.ts";
import { formatSignedMoney, amountFormat, type FormatAmount } from "../../lib/format/amounts.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { type BookingResponse, isPromoter } from "../status/progress.ts";
import { type MoneyPart, isHeldLike, partName, partNext, partSince, partTones } from "./part-labels.ts";
import styles from "./money-parts.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export function Money({ booking, onChanged }: Props) {
  if (booking.fee_cents === 0) return <p className="quiet">The price is on request. Nothing is due.</p>;
  return (
    <>
      <MoneyParts booking={booking} />
      <AutomaticPayment booking={booking} onChanged={onChanged} />
    </>
  );
}

function AutomaticPayment({ booking, onChanged }: Props) {
  const { automatic_payment: payment } = booking;
  if (!payment?.can_withdraw) return null;
  const withdraw = async () => {
    await attempt(async () => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.balance.withdraw({ id: booking.id });
      toast({
        title: "The automatic payment is withdrawn",
        text: "The card is deleted. We request the balance by email.",
      });
    });
    onChanged();
  };
  return (
    <section aria-label="Automatic payment" className={`note blue ${styles.plan}`}>
      <p>
        {payment.card} is valid until {payment.card_ends}. To use another card, pay the balance yourself once both have
        signed.
      </p>
      <p>
        <Button tone="line" size="sm" busyLabel="Withdrawing..." onClick={withdraw}>
          Withdraw the automatic payment
        </Button>
      </p>
    </section>
  );
}

export function MoneyParts({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { money, currency } = booking;
  const { if_canceled: canceled } = money;
  const parts = money.parts.toSorted((one, other) => Number(isUnpaid(one)) - Number(isUnpaid(other)));
  const format = columnFormat(money);
  if (parts.length === 0) return <p className="quiet">Nothing was paid, and nothing is due.</p>;
  const promoter = isPromoter(booking) ? "you cancel" : "the promoter cancels";
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {parts.map((held, at) => (
          <i key={at} data-part={partTones[held.held_by]} style={{ flexGrow: held.cents }} />
        ))}
      </div>
      <ul className={styles.list} aria-label="Where the money is">
        {parts.map((held, at) => {
          const next = nextOf(parts, at, booking);
          return (
            <li key={at}>
              <i data-part={partTones[held.held_by]} aria-hidden />
              <span>
                <strong>{partName(held, booking)}</strong> <span className="quiet">{partSince(held)}</span>
              </span>
              <span className="num">{format(held.cents, currency)}</span>
              {next ? <small>{next}</small> : null}
            </li>
          );
        })}
      </ul>
      <Price booking={booking} format={format} />
      {canceled ? (
        <p className={styles.canceled}>
          If {promoter} now, {canceled.refund_cents > 0 ? formatMoney(canceled.refund_cents, currency) : "nothing"} is
          refunded
          {canceled.until && canceled.refund_cents > 0 ? `. This is valid until ${formatDeadline(canceled.until)}` : ""}
          .
          {canceled.refund_cents > 0 && money.dispute && money.dispute.open_cents > 0
            ? " A refund of the disputed payment waits until the bank has decided."
            : ""}
        </p>
      ) : null}
    </>
  );
}

/** Returns what a part waits for. A deposit and a balance that wait for the same have one text, at the second. */
function nextOf(parts: readonly MoneyPart[], at: number, booking: BookingResponse): string | null {
  const held = parts[at];
  const previous = parts[at - 1];
  if (!held || isHeldLike(held, parts[at + 1])) return null;
  if (!previous || !isHeldLike(held, previous)) return partNext(held, booking);
  const sum =
    held.artist_cents === null || previous.artist_cents === null ? null : held.artist_cents + previous.artist_cents;
  return partNext({ ...held, artist_cents: sum }, booking, true);
}

/** Returns the format of the parts, the price and its deductions, which are read as one column. */
const columnFormat = ({ parts, ...money }: BookingResponse["money"]): FormatAmount =>
  amountFormat([
    ...parts.map(({ cents }) => cents),
    money.fee_cents,
    money.commission_cents ?? 0,
    money.refunded_cents + money.returning_cents,
    money.net_cents ?? 0,
    money.platform_loss_cents ?? 0,
    ...(money.provider_fees ?? []).map(({ amount_cents }) => amount_cents),
  ]);

/** Unpaid parts are last, as a progress bar fills from its start. */
const isUnpaid = ({ held_by: by }: MoneyPart) => by === "promoter_owes" || by === "nobody";

/** The total of the parts. While any of it is open, also the artist's share, for viewers who may see it. */
function Price({ booking, format }: Readonly<{ booking: BookingResponse; format: FormatAmount }>) {
  const { money, currency } = booking;
  const minus = (cents: number, of = currency) => formatSignedMoney(-cents, of, format);
  const { fee_cents: fee, commission_cents: commission, net_cents: net, dispute } = money;
  const { platform_loss_cents: platformLoss } = money;
  const fees = money.provider_fees?.map((paid) => minus(paid.amount_cents, paid.currency)).join(" and ");
  const refunds = money.refunded_cents + money.returning_cents;
  const lost = fee - refunds - (commission ?? 0) - (net ?? 0);
  const isOpen =
    booking.status !== "canceled" &&
    booking.status !== "completed" &&
    money.parts.some(({ held_by: by }) => by === "promoter_owes" || by === "platform");
  return (
    <dl className={`num ${styles.price}`}>
      <DetailRow label="Price">{format(fee, currency)}</DetailRow>
      {isOpen && commission !== null && net !== null ? (
        <>
          {refunds > 0 ? <DetailRow label="Refunds">{minus(refunds)}</DetailRow> : null}
          {lost > 0 ? <DetailRow label="Lost in a dispute">{minus(lost)}</DetailRow> : null}
          <DetailRow label="Commission">{minus(commission)}</DetailRow>
          <div className={styles.total}>
            <dt>Net</dt>
            <dd>
              {format(net, currency)}
              {dispute && dispute.withheld_cents > 0 ? ", if the bank returns what is disputed" : ""}
            </dd>
          </div>
        </>
      ) : null}
      {platformLoss ? <DetailRow label="Dispute loss">{minus(platformLoss)}, borne by us</DetailRow> : null}
      {fees ? <DetailRow label="Payment service">{fees}, paid by us</DetailRow> : null}
    </dl>
  );
}
