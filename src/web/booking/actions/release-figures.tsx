import { splitCommission } from "#payments/rules/prices.rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import styles from "../booking.module.css";
import type { BookingResponse } from "../progress.ts";

/** Shows what an entered release of held money refunds, and the artist's part after the commission. Nothing for an invalid amount. */
export function ReleaseFigures({ booking, text }: Readonly<{ booking: BookingResponse; text: string }>) {
  const { money, fee_cents: fee, currency, artist } = booking;
  const released = parseCents(text);
  if (released === undefined || released > money.held_cents) return null;
  const base = fee - (money.dispute?.lost_cents ?? 0);
  const bps = base > 0 ? Math.round(((money.commission_cents ?? 0) * 10_000) / base) : 0;
  const parts = splitCommission(released, bps);
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  return (
    <dl className={`num ${styles.earnings}`}>
      <DetailRow label="Refund to the payer">{sum(money.held_cents - released)}</DetailRow>
      <DetailRow label="Commission">{sum(parts.commission)}</DetailRow>
      <DetailRow label={`${artist.name} gets`}>
        <strong>{sum(parts.artist)}</strong>
      </DetailRow>
    </dl>
  );
}
