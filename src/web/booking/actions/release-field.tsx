import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { splitCommission } from "#payments/rules/prices.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { parseCents } from "../../lib/format/amounts.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import type { BookingResponse } from "../status/progress.ts";
import styles from "../booking.module.css";

export const describeHeld = ({ money, currency }: BookingResponse) => formatMoney(money.held_cents, currency);

export function releaseMessage(text: string, booking: BookingResponse): string | undefined {
  const cents = parseCents(text);
  return cents === undefined || cents > booking.money.held_cents
    ? `Enter an amount from 0 to ${describeHeld(booking)}.`
    : undefined;
}

type Props = Readonly<{ booking: BookingResponse; text: string; effect?: string }> & ComponentProps<typeof TextInput>;

export const ReleaseField = ({ booking, text, effect = "", ...input }: Props) => (
  <>
    <TextInput
      label={`Release to the artist, of ${describeHeld(booking)} that is held`}
      description={`Before the commission. The rest is refunded to the payer.${effect}`}
      inputMode="decimal"
      required
      {...input}
    />
    {releaseMessage(text, booking) ? null : <Figures booking={booking} released={parseCents(text) ?? 0} />}
  </>
);

function Figures({ booking, released }: Readonly<{ booking: BookingResponse; released: number }>) {
  const { money, currency, artist } = booking;
  const parts = splitCommission(released, money.commission_bps ?? 0);
  const sum = (cents: number) => formatMoney(cents, currency);
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
