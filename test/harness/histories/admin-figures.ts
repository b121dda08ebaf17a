/** The admin's sums of generated bookings: each equals the sum of what lists, booking pages, files and documents show. */

import { expect } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import type { AdminOverview } from "#reports/api.ts";
import type { ListedPayment, PaymentTotals } from "#reports/lists/payments.api.ts";
import type { Payouts } from "#reports/own-payments.api.ts";
import type { Life } from "./history-actions.ts";

type Sums = Record<string, number>;
export type CsvRow = Record<string, string>;

/** Returns minor units per currency, without zeros. */
export function sumsBy<Row extends object>(rows: readonly Row[], amountOf: (row: Row) => number): Sums {
  const sums: Sums = {};
  for (const row of rows) {
    const currency = "currency" in row ? String(row.currency) : "none";
    sums[currency] = (sums[currency] ?? 0) + amountOf(row);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

async function read<T>(at: Life["admin"], address: string): Promise<T> {
  const { status, body } = await at.json(address);
  expect(status, address).toBe(200);
  return body as unknown as T;
}

async function everyPayment(admin: Life["admin"]): Promise<ListedPayment[]> {
  const items: ListedPayment[] = [];
  for (let page = 1; ; page++) {
    const found = await read<{ items: ListedPayment[]; total: number }>(admin, `/api/admin/payments?page=${page}`);
    items.push(...found.items);
    if (found.items.length === 0 || items.length >= found.total) return items;
  }
}

export const readTotals = (admin: Life["admin"], days = "") =>
  read<PaymentTotals>(admin, `/api/admin/payments/totals${days}`);

/** Fails unless the admin's sums agree in each currency. `lives`: all bookings of the installation. */
export async function expectAdminFigures(admin: Life["admin"], lives: readonly Life[], after: string): Promise<void> {
  const { revenue, platform } = await readTotals(admin);
  const paid = (await everyPayment(admin)).filter(({ payment_date: at }) => at !== null);
  const bookings = await Promise.all(
    lives.map(async ({ bookingId }) => {
      const { currency, money } = await read<BookingPage>(admin, `/api/bookings/${bookingId}`);
      return { currency, ...money };
    }),
  );
  const payouts = await Promise.all(lives.map(({ artist }) => read<Payouts>(artist, "/api/artist/payouts")));
  const partsIn = (money: BookingPage["money"], isIn: (part: BookingPage["money"]["parts"][number]) => boolean) =>
    money.parts.reduce((sum, part) => sum + (isIn(part) ? part.cents : 0), 0);
  const partsOf = (by: string) => sumsBy(bookings, (money) => partsIn(money, (part) => part.held_by === by));
  const overview = await read<AdminOverview>(admin, "/api/admin/overview");
  const window = await readTotals(admin, `?from=${overview.from}&to=${overview.to}`);
  const { currency, months } = overview.money_in;
  const captured = sumsBy(revenue, (sum) => sum.captured);
  const lost = sumsBy(revenue, (sum) => sum.lost);
  const owed = sumsBy(platform, (sum) => sum.owed);
  expect(
    {
      captured: [sumsBy(paid, ({ amount }) => amount), sumsBy(bookings, (money) => money.paid_cents)],
      refunded: sumsBy(paid, (payment) => payment.refunded_cents),
      lost: [sumsBy(paid, (one) => one.disputed_cents), sumsBy(bookings, ({ dispute }) => dispute?.lost_cents ?? 0)],
      withheld: sumsBy(bookings, ({ dispute }) => dispute?.withheld_cents ?? 0),
      // What an appeal won back is held too, until an admin decides about it.
      held: sumsBy(bookings, (money) => money.held_cents + partsIn(money, ({ next }) => next === "appeal_won")),
      commission: partsOf("commission"),
      losses: sumsBy(bookings, (money) => money.platform_loss_cents ?? 0),
      fees: sumsBy(
        bookings.flatMap(({ provider_fees: fees }) => fees ?? []),
        ({ amount_cents: cents }) => cents,
      ),
      owed: [
        partsOf("artist_owed"),
        sumsBy(
          payouts.flatMap(({ pending }) => pending),
          ({ amount }) => amount,
        ),
      ],
      ofOverview: sumsBy(overview.revenue, ({ amount }) => amount),
      moneyIn: months.reduce((sum, month) => sum + month.deposit_cents + month.balance_cents, 0),
    },
    after,
  ).toEqual({
    captured: [captured, captured],
    refunded: sumsBy(revenue, (sum) => sum.refunded),
    lost: [lost, lost],
    withheld: sumsBy(revenue, (sum) => sum.withheld),
    held: sumsBy(platform, (sum) => sum.held),
    commission: sumsBy(platform, (sum) => sum.commission),
    losses: sumsBy(platform, (sum) => sum.losses),
    fees: sumsBy(platform, (sum) => sum.fees),
    owed: [owed, owed],
    ofOverview: sumsBy(window.revenue, ({ amount }) => amount),
    moneyIn: captured[currency] ?? 0,
  });
}

export async function fileOf(at: Life["admin"], address: string): Promise<(CsvRow & { currency: string })[]> {
  const response = await at.call(address);
  expect(response.status, address).toBe(200);
  const lines = (await response.text()).replace("\uFEFF", "").trim().split("\r\n");
  const [titles = [], ...rows] = lines.map((line) =>
    Array.from(line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) => quoted ?? plain ?? ""),
  );
  return rows.map((cells) => {
    const row = Object.fromEntries(cells.map((cell, index) => [titles[index] ?? "", cell]));
    return { ...row, currency: row["Currency"] ?? "" };
  });
}

export const inFile = (rows: readonly CsvRow[], column: string) =>
  sumsBy(rows, (row) => Math.round(Number(row[column]) * 100));

export function isOfCommission(row: CsvRow, byNumber: ReadonlyMap<string, CsvRow>): boolean {
  const corrected = byNumber.get(row["Corrects"] ?? "");
  return corrected ? isOfCommission(corrected, byNumber) : row["Kind"] === "Commission invoice";
}

/** Fails unless the files and the documents in them add up to the same sums. All documents must be issued, and nothing may be on its way. */
export async function expectAdminFiles(admin: Life["admin"], lives: readonly Life[]): Promise<void> {
  const { revenue, platform } = await readTotals(admin);
  const payments = (await fileOf(admin, "/api/admin/payments.csv")).filter((row) => row["Paid"] !== "");
  const bookings = await fileOf(admin, "/api/admin/bookings.csv");
  const documents = await fileOf(admin, "/api/admin/documents.csv");
  const earnings = (await Promise.all(lives.map(({ artist }) => fileOf(artist, "/api/artist/payouts.csv")))).flat();
  const byNumber = new Map(documents.map((row) => [row["Number"] ?? "", row]));
  const receipts = documents.filter((row) => row["Kind"] === "Receipt");
  const invoices = documents.filter((row) => isOfCommission(row, byNumber));
  const statements = documents.filter((row) => row["Kind"]?.startsWith("Payout "));
  const captured = sumsBy(revenue, (sum) => sum.captured);
  const refunded = sumsBy(revenue, (sum) => sum.refunded);
  const lost = sumsBy(revenue, (sum) => sum.lost);
  const commission = sumsBy(platform, (sum) => sum.commission);
  expect({
    captured: [inFile(payments, "Amount"), inFile(bookings, "Paid"), inFile(receipts, "Gross")],
    refunded: [inFile(payments, "Refunded"), inFile(bookings, "Refunded")],
    lost: [inFile(payments, "Lost in disputes"), inFile(bookings, "Lost in disputes")],
    commission: [inFile(invoices, "Gross"), inFile(earnings, "Commission")],
    paidOut: inFile(statements, "Gross"),
  }).toEqual({
    captured: [captured, captured, captured],
    refunded: [refunded, refunded],
    lost: [lost, lost],
    commission: [commission, commission],
    paidOut: inFile(earnings, "Net"),
  });
}
