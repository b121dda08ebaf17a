/**
 * The books of two years. Shows are paid before and played after 1 January in the platform's time zone, on which tax,
 * commission and the artists' legal details change. Files, documents, screens, ledger and provider agree in each year.
 */

import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { exportData } from "#app/admin/export.ts";
import { includedTax } from "#platform/money.rules.ts";
import type { AdminOverview } from "#reports/api.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser } from "#test/harness/bookings.ts";
import {
  type CsvRow,
  fileOf,
  inFile,
  isOfCommission,
  readTotals,
  sumsBy,
} from "#test/harness/histories/admin-figures.ts";
import type { Life } from "#test/harness/histories/history-actions.ts";
import { after, before, firstDay, lives, playNewYear, seller } from "#test/harness/histories/new-year.ts";
import { popplerIsHere, runPoppler } from "#test/harness/poppler.ts";
import { testApp } from "#test/test-app.ts";

const years = ["2026", "2027"] as const;

const app = closeAfterFile(await testApp({ now: firstDay }));
app.clock.now = () => firstDay;
const adminUser = await app.make.user({ role: "admin", email: "admin@example.test" });
const adminHeaders = await app.signIn(adminUser);
const admin = browser(app, adminHeaders);
let of: Awaited<ReturnType<typeof playNewYear>>;

beforeAll(async () => {
  of = await playNewYear(app, adminUser.id, adminHeaders);
});

const daysOf = (year: string) => `?from=${year}-01-01&to=${year}-12-31`;
const documentsFile = (at: Life["admin"], role: "admin" | "artist" | "promoter", days = "") =>
  fileOf(at, `/api/${role}/documents.csv${days}`);
const missing: CsvRow = {};
const isCredit = ({ Kind }: CsvRow) => Kind === "Credit note" || Kind === "Correction of a credit note";

const entries = (rows: readonly (CsvRow & { currency: string })[], account: string, ...postings: string[]) =>
  sumsBy(
    rows.filter(
      (row) => row["Account"] === account && (postings.length === 0 || postings.includes(row["Posting"] ?? "")),
    ),
    (row) => Math.round(100 * (Number(row["Debit"]) - Number(row["Credit"]))),
  );
const negated = (sums: Record<string, number>) =>
  Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, -sum]));

describe.each(years)("the books of %s", (year) => {
  test("have the same sums in documents, payments, ledger, statements of artists, and totals of the screen", async () => {
    const { revenue, platform } = await readTotals(admin, daysOf(year));
    const documents = await documentsFile(admin, "admin", daysOf(year));
    const byNumber = new Map((await documentsFile(admin, "admin")).map((row) => [row["Number"] ?? "", row]));
    const ledger = await fileOf(admin, `/api/admin/ledger.csv${daysOf(year)}`);
    const payments = await fileOf(admin, `/api/admin/payments.csv${daysOf(year)}`);
    const earnings = await Promise.all(
      Object.values(of).map(({ artist }) => fileOf(artist, `/api/artist/payouts.csv?year=${year}`)),
    );
    const invoices = documents.filter((row) => isOfCommission(row, byNumber));
    const credits = documents.filter((row) => isCredit(row) && !isOfCommission(row, byNumber));
    const statements = documents.filter((row) => row["Kind"]?.startsWith("Payout "));
    const paid = payments.filter((row) => row["Paid"] !== "");
    const captured = sumsBy(revenue, (one) => one.captured);
    const refunded = sumsBy(revenue, (one) => one.refunded);
    const commission = sumsBy(platform, (one) => one.commission);
    expect(Object.keys(captured)).not.toEqual([]);
    expect(Object.keys(refunded)).not.toEqual([]);
    expect({
      captured: [
        inFile(paid, "Amount"),
        inFile(
          documents.filter((row) => row["Kind"] === "Receipt"),
          "Gross",
        ),
        entries(ledger, "At the provider", "Payment captured"),
      ],
      refunded: [
        negated(inFile(credits, "Gross")),
        negated(entries(ledger, "At the provider", "Refund paid to the payer", "Refund due again")),
      ],
      commission: [
        inFile(invoices, "Gross"),
        inFile(earnings.flat(), "Commission"),
        negated(entries(ledger, "Platform revenue")),
      ],
      paidOut: inFile(statements, "Gross"),
      fees: entries(ledger, "Provider fees"),
      losses: entries(ledger, "Lost in disputes"),
    }).toEqual({
      captured: [captured, captured, captured],
      refunded: [refunded, refunded],
      commission: [commission, commission, commission],
      paidOut: negated(
        entries(
          ledger,
          "At the provider",
          "Paid out to the artist",
          "Payout reversed",
          "Payout reversed at the provider",
        ),
      ),
      fees: sumsBy(platform, (one) => one.fees),
      losses: sumsBy(platform, (one) => one.losses),
    });
  });

  test("contain the days of this year in the platform's time zone, whole postings, and no row of the other year", async () => {
    const documents = await documentsFile(admin, "admin", daysOf(year));
    const ledger = await fileOf(admin, `/api/admin/ledger.csv${daysOf(year)}`);
    expect(new Set(documents.map((row) => row["Date of the transaction"]?.slice(0, 4)))).toEqual(new Set([year]));
    expect(new Set(ledger.map((row) => row["Date"]?.slice(0, 4)))).toEqual(new Set([year]));
    expect(new Set([...documents, ...ledger].map((row) => row["Time zone"]))).toEqual(new Set(["Pacific/Auckland"]));
    for (const [id, rows] of Map.groupBy(ledger, (row) => row["Posting id"]))
      expect(
        entries(
          rows.map((row) => ({ ...row, Account: "" })),
          "",
        ),
        id,
      ).toEqual({});
  });
});

test("the years together are the whole files, and the ledger's balance is the provider's", async () => {
  for (const name of ["documents", "ledger", "payments"]) {
    const whole = await fileOf(admin, `/api/admin/${name}.csv`);
    const parts = await Promise.all(years.map((year) => fileOf(admin, `/api/admin/${name}.csv${daysOf(year)}`)));
    const inOrder = (rows: readonly CsvRow[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    expect(inOrder(parts.flat()), name).toEqual(inOrder(whole));
  }
  const ledger = await fileOf(admin, "/api/admin/ledger.csv");
  const { rows } = await sql<{ currency: string; net: number }>`
    select body->>'currency' as currency, sum((body->>'net')::bigint)::bigint as net from sandbox_objects
    where kind = 'balance_transaction' group by 1`.execute(app.database.db);
  expect(entries(ledger, "At the provider")).toEqual(sumsBy(rows, ({ net }) => Number(net)));
});

test("the operator's export has every document, transfer, reversal and dispute", async () => {
  let exported = "";
  await exportData(app.database, async (part) => void (exported += part));
  const tables = exported
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { table: string }).table);
  for (const table of ["documents", "transfers", "transfer_reversals", "disputes", "ledger_entries"] as const) {
    const { count } = await app.database.db
      .selectFrom(table)
      .select((one) => one.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count), table).toBeGreaterThan(0);
    expect(tables.filter((one) => one === table).length, table).toBe(Number(count));
  }
});

test("the months of the overview have the receipts of their days", async () => {
  const { body } = await admin.json("/api/admin/overview");
  const { currency, months } = body["money_in"] as AdminOverview["money_in"];
  const receipts = (await documentsFile(admin, "admin")).filter(
    (row) => row["Kind"] === "Receipt" && row.currency === currency,
  );
  for (const { month, deposit_cents: deposit, balance_cents: balance } of months)
    expect(
      inFile(
        receipts.filter((row) => row["Date of the transaction"]?.startsWith(month)),
        "Gross",
      ),
      month,
    ).toEqual(deposit + balance === 0 ? {} : { [currency]: deposit + balance });
});

test("numbers have no gaps, and follow the dates of issue", async () => {
  const documents = await documentsFile(admin, "admin");
  expect(new Set(documents.map((row) => row["Kind"]))).toEqual(
    new Set(["Receipt", "Credit note", "Commission invoice", "Payout statement", "Payout reversal"]),
  );
  const series = Map.groupBy(documents, (row) => row["Number"]?.replace(/-\d+$/, ""));
  expect(series.size).toBe(Object.keys(lives).length + 1);
  for (const [prefix, rows] of series) {
    const inOrder = rows.toSorted((one, other) => ((one["Number"] ?? "") < (other["Number"] ?? "") ? -1 : 1));
    expect(inOrder.map((row) => row["Number"])).toEqual(
      inOrder.map((_, index) => `${prefix}-${String(index + 1).padStart(5, "0")}`),
    );
    const dates = inOrder.map((row) => row["Date"] ?? "");
    expect(dates).toEqual(dates.toSorted());
  }
});

test("the rate is that of the year of the document, and a credit note has that of the corrected one", async () => {
  const documents = await documentsFile(admin, "admin");
  const byNumber = new Map(documents.map((row) => [row["Number"] ?? "", row]));
  const originalOf = (row: CsvRow): CsvRow => {
    const corrected = byNumber.get(row["Corrects"] ?? "");
    return corrected ? originalOf(corrected) : row;
  };
  const cents = (row: CsvRow, column: string) => Math.round(Number(row[column]) * 100);
  for (const row of documents) {
    const original = originalOf(row);
    const isOld = (original["Date"] ?? "") < "2027";
    const ofArtist = isOld ? before : after;
    const rate = row["Kind"]?.startsWith("Payout ")
      ? ["", 0, "NZ3"]
      : isOfCommission(row, byNumber)
        ? ["GST", isOld ? 1_500 : 1_600, "NZ3"]
        : [ofArtist.taxLabel, ofArtist.taxBps, ofArtist.taxId];
    expect([row["Tax label"], cents(row, "Tax percent"), row["Seller tax ID"]], row["Number"]).toEqual(rate);
    expect(cents(row, "Net") + cents(row, "Tax")).toBe(cents(row, "Gross"));
    if (original === row) expect(cents(row, "Tax")).toBe(includedTax(cents(row, "Gross"), Number(rate[1])));
  }
  const credited = Map.groupBy(
    documents.filter((row) => originalOf(row) !== row),
    (row) => originalOf(row)["Number"],
  );
  for (const [number, notes] of credited) {
    const all = [...notes, byNumber.get(number ?? "") ?? missing];
    const left = all.reduce((sum, row) => sum + cents(row, "Gross"), 0);
    const tax = all.reduce((sum, row) => sum + cents(row, "Tax"), 0);
    expect(tax, number).toBe(left - all.reduce((sum, row) => sum + cents(row, "Net"), 0));
    if (left === 0) expect(tax, number).toBe(0);
  }
});

test("artists and promoters export the documents that they can read, and no others", async () => {
  const all = await documentsFile(admin, "admin");
  for (const life of Object.values(of)) {
    const { body } = await admin.json(`/api/bookings/${life.bookingId}`);
    const own = all.filter((row) => row["Booking"] === body["number"]);
    const numbersIn = (rows: readonly CsvRow[]) => rows.map((row) => row["Number"] ?? "").toSorted();
    const byNumber = new Map(own.map((row) => [row["Number"] ?? "", row]));
    const bought = own.filter((row) => !row["Kind"]?.startsWith("Payout ") && !isOfCommission(row, byNumber));
    expect(numbersIn(await documentsFile(life.artist, "artist"))).toEqual(numbersIn(own));
    expect(numbersIn(await documentsFile(life.promoter, "promoter"))).toEqual(numbersIn(bought));
    expect((await life.artist.call("/api/admin/ledger.csv")).status).toBe(403);
  }
});

test.runIf(popplerIsHere)("every PDF states what the file states", async () => {
  const { rows: ids } = await sql<{ id: string; number: string }>`select id, number from documents`.execute(
    app.database.db,
  );
  const byNumber = new Map((await documentsFile(admin, "admin")).map((row) => [row["Number"] ?? "", row]));
  const printed = (day: string | undefined) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(new Date(`${day}T00:00Z`));
  for (const { id, number } of ids) {
    const row = byNumber.get(number) ?? missing;
    const { body } = await admin.json(`/api/documents/${id}/link`);
    const pdf = Buffer.from(await (await admin.call(String(body["url"]))).arrayBuffer());
    const text = runPoppler("pdftotext", pdf, { before: ["-layout"], after: ["-"] }).replaceAll(/\s+/g, " ");
    const amount = (column: string) => Math.abs(Number(row[column])).toLocaleString("en", { minimumFractionDigits: 2 });
    const parts = [
      `${row["Kind"]} ${number}`,
      printed(row["Date"]),
      printed(row["Date of the transaction"]),
      printed(row["Event date"]),
      row["Seller"],
      row["Buyer"],
      `Tax ID: ${row["Seller tax ID"]}`,
      row["Booking"],
      row["Corrects"],
      row["Payment reference"],
      amount("Gross"),
      row["Currency"]?.toUpperCase(),
      ...(Number(row["Tax"]) === 0
        ? []
        : [amount("Net"), amount("Tax"), `${row["Tax label"]} ${row["Tax percent"]}%, included`]),
    ];
    expect(
      parts.filter((part) => part && !text.includes(part)),
      text,
    ).toEqual([]);
    const address =
      [before, after, seller].find((one) => one.legalName === row["Seller"])?.legalAddress.split("\n") ?? [];
    expect(
      address.filter((line) => !text.includes(line)),
      number,
    ).toEqual([]);
  }
});
