import fc from "fast-check";
import { expect, test } from "vitest";
import { positionFrom } from "#ledger/rules.ts";
import { paymentKinds, splitCommission } from "#payments/rules.ts";
import { at, input, ledger } from "#test/factories/money-parts.ts";
import { type BookingStatus, bookingStatusNames } from "../../rules.ts";
import { completionBlocks } from "../completion.rules.ts";
import { moneyPartsOf } from "./money-parts.rules.ts";

const history = fc.record({
  price: fc.integer({ min: 2, max: 99_999_999 }),
  depositShare: fc.double({ min: 0, max: 1, noNaN: true }),
  bps: fc.integer({ min: 0, max: 10_000 }),
  paid: fc.constantFrom("nothing", "deposit", "both"),
  refunds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  settled: fc.boolean(),
  undone: fc.boolean(),
  lost: fc.double({ min: 0, max: 1, noNaN: true }),
  dispute: fc.constantFrom("none", "open", "lost", "appealed"),
  release: fc.boolean(),
  sent: fc.double({ min: 0, max: 1, noNaN: true }),
  after: fc.double({ min: 0, max: 1, noNaN: true }),
  reversed: fc.boolean(),
  status: fc.constantFrom<BookingStatus>(...bookingStatusNames),
  seesCommission: fc.boolean(),
  block: fc.constantFrom(null, ...completionBlocks),
  day: fc.constantFrom("2027-01-10", "2027-02-13", "2027-02-15", "2027-04-01"),
});

test("moneyPartsOf adds up to the price in every state, for every viewer", () => {
  fc.assert(
    fc.property(history, (given) => {
      const { sums, post } = ledger();
      const deposit = Math.floor(given.price * given.depositShare);
      const price = { deposit, balance: given.price - deposit };
      const kinds = given.paid === "nothing" ? [] : given.paid === "deposit" ? (["deposit"] as const) : paymentKinds;
      let held = 0;
      const left = { deposit: 0, balance: 0 };
      for (const kind of kinds) {
        if (price[kind] === 0) continue;
        post(kind, "charge", "psp_clearing", "held", price[kind]);
        left[kind] = price[kind];
        held += price[kind];
      }
      for (const share of given.refunds) {
        const kind = left.balance > 0 ? "balance" : "deposit";
        const amount = Math.floor(left[kind] * share);
        if (amount === 0) continue;
        post(kind, "refund_planned", "held", "refund_in_flight", amount);
        if (given.settled) post(kind, "refund_settled", "refund_in_flight", "psp_clearing", amount);
        if (given.settled && given.undone) post(kind, "refund_undone", "psp_clearing", "refund_in_flight", amount);
        left[kind] -= amount;
        held -= amount;
      }
      const taken = given.dispute === "none" ? 0 : Math.floor(left.deposit * given.lost);
      if (taken > 0) {
        post("deposit", "dispute_withdrawn", "dispute_in_flight", "psp_clearing", taken);
        if (given.dispute !== "open") {
          post("deposit", "dispute_lost", "held", "dispute_in_flight", taken);
          held -= taken;
        }
        if (given.dispute === "appealed") {
          post("deposit", "dispute_reinstated", "psp_clearing", "dispute_in_flight", taken);
          post("deposit", "dispute_regained", "dispute_in_flight", "dispute_loss", taken);
        }
      }
      if (given.release && held > 0) {
        const { artist, commission } = splitCommission(held, given.bps);
        if (artist > 0) post(null, "release", "held", "artist_payable", artist);
        if (commission > 0) post(null, "release", "held", "platform_revenue", commission);
        const sent = Math.floor(artist * given.sent);
        if (sent > 0) post("deposit", "payout", "artist_payable", "psp_clearing", sent);
        const back = Math.floor(sent * given.after);
        if (back > 0) {
          post("deposit", "refund_planned", "artist_receivable", "refund_in_flight", back);
          if (given.reversed) post("deposit", "reversal", "psp_clearing", "artist_receivable", back);
        }
      }
      const { status, seesCommission, block } = given;
      const parts = moneyPartsOf(
        input({
          status,
          seesCommission,
          block,
          position: positionFrom(sums),
          commission_bps: given.bps,
          deposit_cents: price.deposit,
          balance_cents: price.balance,
        }),
        at(given.day),
      );
      expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(given.price);
      for (const { cents } of parts) expect(cents).toBeGreaterThan(0);
      if (!seesCommission)
        for (const { held_by, artist_cents } of parts) {
          expect(["commission", "artist", "artist_owed"]).not.toContain(held_by);
          expect(artist_cents).toBe(null);
        }
    }),
    { numRuns: 2_000 },
  );
});
