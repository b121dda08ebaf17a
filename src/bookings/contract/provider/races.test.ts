/** A signing service's webhook concurrent with actions on the platform, on two connections. TEST_DEEP=1 runs all rounds. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { contractOf } from "#contracts/index.ts";
import { bookingRow, refunds } from "#test/harness/bookings.ts";
import { attestOnPaper, contractRow, evidenceEntries } from "#test/harness/contracts.ts";
import { type Sent, type Signing, signingWay } from "#test/harness/esign/suite.ts";
import { cancelBooking, previewCancellation } from "../../cancellation/cancellation.ts";
import { lockBooking } from "../../store.ts";
import { syncContract } from "./sync.ts";

const rounds = process.env["TEST_DEEP"] === "1" ? 50 : 3;

let at: Signing;
let adminId: string;
beforeAll(async () => {
  at = await signingWay("docuseal");
  adminId = (await at.app.make.user({ role: "admin" })).id;
});
afterAll(() => at.close());

async function signedThere(): Promise<Sent> {
  const sent = await at.sent();
  const ref = await at.refOf(sent.booking.id);
  at.double?.sign(ref, "promoter");
  at.double?.sign(ref, "artist");
  return sent;
}

async function endOf(bookingId: string) {
  const { db } = at.app.database;
  const contract = await contractRow(at.app, bookingId);
  const entries = await evidenceEntries(at.app, bookingId);
  const summary = await contractOf(db, bookingId);
  return {
    booking: (await bookingRow(at.app, bookingId))["status"],
    contract: contract.signed_status,
    methods: summary?.signers.map(({ method }) => method),
    acts: entries.map(({ kind }) => kind),
  };
}

const after = (round: number) => new Promise((resolve) => setTimeout(resolve, round * 4));

test(
  `marking as signed during a sync, ${rounds} rounds: counts the first, and records the other as evidence`,
  { timeout: 900_000 },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { booking, contractId } = await signedThere();
      const act = async () => {
        await after(round % 6);
        return at.app.database.transaction((tx) =>
          attestOnPaper(tx, at.app.services, { bookingId: booking.id, contractId, adminId }),
        );
      };
      const [marked, synced] = await Promise.allSettled([act(), syncContract(at.app.services, booking.id)]);
      expect(synced.status).toBe("fulfilled");
      await at.hear(booking.id);
      const end = await endOf(booking.id);
      expect(end).toMatchObject({ booking: "contract_signed", contract: "signed" });
      const attested = marked.status === "fulfilled";
      expect(end.methods).toEqual(attested ? ["attested", "attested"] : ["provider", "provider"]);
      expect(end.acts).toEqual(
        attested ? ["sent", "attested", "attested", "reported", "reported"] : ["sent", "signed", "signed"],
      );
    }
  },
);

test(
  `canceling during the sync of a completed contract, ${rounds} rounds: ends the booking once with one refund`,
  { timeout: 900_000 },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { booking } = await signedThere();
      const now = at.app.clock.now();
      const cancel = async () => {
        await after(round % 6);
        return at.app.database.transaction(async (tx) => {
          const locked = await lockBooking(tx, booking.id);
          if (!locked) throw new Error("the booking is gone");
          const { refund_cents: expectedRefund } = await previewCancellation(tx, locked, { by: "promoter", now });
          await cancelBooking(tx, locked, { by: "promoter", code: "plans_changed", note: null, expectedRefund, now });
        });
      };
      await Promise.all([cancel(), syncContract(at.app.services, booking.id)]);
      await at.settle();
      await at.hear(booking.id);
      const end = await endOf(booking.id);
      expect(end.booking).toBe("canceled");
      expect((await refunds(at.app, booking.id)).length).toBe(1);
      expect([end.contract, end.acts]).toEqual(
        end.contract === "signed"
          ? ["signed", ["sent", "signed", "signed"]]
          : ["sent", ["sent", "voided", "reported", "reported"]],
      );
    }
  },
);

test(
  `syncing twice at the same time, ${rounds} rounds: records every signature once`,
  { timeout: 900_000 },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { booking } = await signedThere();
      await Promise.all([syncContract(at.app.services, booking.id), syncContract(at.app.services, booking.id)]);
      expect(await endOf(booking.id)).toMatchObject({
        booking: "contract_signed",
        acts: ["sent", "signed", "signed"],
      });
    }
  },
);
