import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import { issueNext } from "#invoicing/issue.ts";
import { releaseHeld } from "#payments/index.ts";
import type { Reader } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { TestApp } from "#test/test-app.ts";
import { planRefund, submitRefunds } from "./payment-work.ts";

const invariants = readFileSync(path.join(import.meta.dirname, "../../src/invoicing/invariants.sql"), "utf8");

/** Issues all due documents, as repeated runs of the job do. Returns the number of issued documents. */
export async function issueDocuments(services: PlatformServices): Promise<number> {
  let issued = 0;
  for (;;) {
    const batch = await issueNext(services);
    issued += batch.issued;
    if (batch.settled === 0) return issued;
  }
}

/** Returns every violation of the rules of documents. */
export const documentOffences = async (reader: Reader): Promise<unknown[]> =>
  (await sql.raw(invariants).execute(reader)).rows;

/** Fails if a document or number is missing or wrong, or if a posting waits for its document. */
export async function expectDocumented(reader: Reader): Promise<void> {
  expect(await documentOffences(reader)).toEqual([]);
  expect(await reader.selectFrom("documents_due").select("group_id").execute()).toEqual([]);
}

export const documentsIn = (reader: Reader, bookingId: string) =>
  reader
    .selectFrom("documents")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .orderBy("occurred_at")
    .orderBy("issued_at")
    .orderBy("number")
    .execute();

/** Steps of bookings whose documents are issued. */
export const documentedBookings = (app: TestApp) => ({
  async paid(given: Parameters<TestApp["make"]["booking"]>[0] = {}) {
    const booking = await app.make.booking({ status: "contract_signed", balancePaid: true, fee: 150_000, ...given });
    await issueDocuments(app.services);
    return booking;
  },
  invoiceOf: async (booking: { id: string }) =>
    (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "commission_invoice"),
  release: (booking: { id: string; artist_id: string }) =>
    app.database.transaction((tx) =>
      releaseHeld(tx, {
        bookingId: booking.id,
        artistId: booking.artist_id,
        currency: "usd",
        commissionBps: 1_000,
        at: app.clock.now(),
      }),
    ),
  async refund(paymentId: string, amount: number, causeKey: string) {
    await app.database.transaction((tx) =>
      planRefund(tx, { paymentId, amount, reason: "The show was moved.", causeKey, now: app.clock.now() }),
    );
    await submitRefunds(app.services);
    await app.settle();
    await issueDocuments(app.services);
  },
});
