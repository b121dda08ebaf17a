/** The same figure on every screen of a generated booking: the artist's share, and what is left of the payments. */

import { sql } from "kysely";
import { expect } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import type { ArtistOverview } from "#reports/api.ts";
import type { Payouts, PromoterPayment } from "#reports/own-payments.api.ts";
import type { TestApp } from "#test/test-app.ts";
import type { Life } from "./history-actions.ts";

type Bookings = { summary: { sums: { paid_cents: number }[] } };
type PromoterPayments = { items: PromoterPayment[]; sums: { amount: number }[] };

const sum = (amounts: readonly (number | null)[]) => amounts.reduce<number>((all, one) => all + (one ?? 0), 0);

const keptOf = (payments: readonly PromoterPayment[]) =>
  sum(
    payments
      .filter(({ status }) => status === "succeeded")
      .map((one) => one.amount - one.refunded_cents - one.refunding_cents - one.disputed_cents),
  );

/** Fails unless all screens of both users agree. Each user of a history has only its booking. */
export async function expectSameFigures({ artist, promoter, bookingId }: Life, after: string): Promise<void> {
  const read = async <T>(at: Life["artist"], address: string): Promise<T> => {
    const { status, body } = await at.json(address);
    expect(status, `${address} ${after}`).toBe(200);
    return body as unknown as T;
  };
  const { status, money } = await read<BookingPage>(artist, `/api/bookings/${bookingId}`);
  const [payout] = (await read<Payouts>(artist, "/api/artist/payouts")).items;
  const isOver = status === "completed" || status === "canceled";
  const isReleased = money.parts.some(({ held_by: by }) => ["artist", "artist_owed", "commission"].includes(by));
  if (isReleased)
    expect([money.net_cents, payout?.amount ?? 0], `share ${after}`).toEqual([money.artist_cents, money.net_cents]);
  else if (!isOver && money.outstanding_cents === 0 && money.held_cents > 0) {
    expect(payout?.amount, `held share ${after}`).toBe(money.net_cents);
    const continuing = money.parts.filter((part) => part.artist_cents !== null);
    // What the bank withholds is a part of its own, without a share.
    if (continuing.length > 0 && !money.dispute?.withheld_cents)
      expect(sum(continuing.map((part) => part.artist_cents)), `parts ${after}`).toBe(money.net_cents);
  }
  const payments = await read<PromoterPayments>(promoter, "/api/promoter/payments");
  const kept = keptOf(payments.items);
  const lists = await Promise.all([
    read<Bookings>(promoter, "/api/promoter/bookings"),
    read<Bookings>(artist, "/api/artist/bookings"),
  ]);
  const paid = lists.map(({ summary }) => sum(summary.sums.map(({ paid_cents: cents }) => cents)));
  const total = sum(payments.sums.map(({ amount }) => amount));
  expect([money.kept_cents, total, ...paid], `kept ${after}`).toEqual([kept, kept, kept, kept]);
  const {
    deposits_sum: [deposits],
  } = await read<ArtistOverview>(artist, "/api/artist/overview");
  const ofDeposits = keptOf(payments.items.filter(({ kind }) => kind === "deposit"));
  if (deposits) expect(deposits.amount, `deposits ${after}`).toBe(ofDeposits);
}

/** Fails unless the amounts in the emails to both users are those of the ledger. A failed refund can be resolved before its email. */
export async function expectEmails(app: TestApp, { bookingId }: Life, after: string): Promise<void> {
  const sums = async (query: ReturnType<typeof sql<{ name: string; amount: number }>>) =>
    Object.fromEntries((await query.execute(app.database.db)).rows.map(({ name, amount }) => [name, Number(amount)]));
  const { failed = 0, ...emailed } = await sums(sql`
    select case when template = 'paid_out' then case when text like '%in another way%' then 'paid outside' else 'paid' end
        when template = 'refund_failed' then 'failed'
        when subject like 'We pay %' then 'refunded outside' else 'refunded' end as name,
      sum(round(replace(substring(subject from '[0-9][0-9,]*(?:[.][0-9]+)?'), ',', '')::numeric * 100))::bigint as amount
    from messages where ref_id = ${bookingId} and channel = 'email'
      and (template = 'paid_out' or template = 'refund_sent' and subject not like '%bank has refunded%'
        or template = 'refund_failed' and subject like '%did not arrive%')
    group by 1`);
  const { returned = 0, ...posted } = await sums(sql`
    select case when g.kind = 'payout' then 'paid' when g.cause_key like '%:undone%' then 'returned'
        when g.cause_key like '%:outside' then 'refunded outside' else 'refunded' end as name,
      abs(sum(e.amount))::bigint as amount
    from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.booking_id = ${bookingId}
      and (g.kind = 'payout' and e.account like 'artist_payable:%'
        or g.cause_key ~ '^refund:.*:(settled|undone|outside)(:[0-9]+)?$' and e.account = 'refund_in_flight')
    group by 1`);
  const { "paid outside": _paidOutside, ...shown } = emailed;
  expect(shown, `emails ${after}`).toEqual(posted);
  expect(failed, `returned ${after}`).toBeLessThanOrEqual(returned);
}
