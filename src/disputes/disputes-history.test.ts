import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { ProviderDispute } from "#gateway/dispute-gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { disputedBookings, type Moment } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";

const provider = memoryProvider();
const { disputes } = provider.disputes;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf, steps } = disputedBookings(provider, () => app);

const history = fc.record({
  moment: fc.constantFrom<Moment>("before the show", "between show and payout", "after the payout"),
  end: fc.constantFrom("won", "lost", "warning_closed"),
  amount: fc.integer({ min: 1, max: 37_500 }),
  heard: fc.array(fc.nat(3), { minLength: 3, maxLength: 12 }),
});

test("results in the same rows for reports in any order, repeated and concurrent", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ moment, end, amount, heard }) => {
      const one = await booked(moment);
      const isInquiry = end === "warning_closed";
      const reports = isInquiry
        ? ["warning_needs_response", "warning_under_review", end]
        : ["warning_needs_response", "needs_response", "under_review", end];
      const all = reports.map((status) => disputeOf(one.deposit, status, { amount }));
      for (const index of heard) {
        const report = all[index % all.length] as ProviderDispute;
        await Promise.all([hear(report), hear(report)]);
      }
      const last = all.at(-1) as ProviderDispute;
      await hear(last);
      await hear(all[0] as ProviderDispute);
      disputes.set(last.ref, last);
      expect(await rowOf(one.deposit)).toMatchObject({ status: end, withdrawn: end === "lost" ? amount : 0 });
      const reported = await steps(one.bookingId);
      expect(reported.filter((step) => step === "opened")).toHaveLength(1);
      expect(reported.filter((step) => step === "closed")).toHaveLength(1);
      await expectSound(app);
    }),
    { numRuns: Number(process.env["REPLAY_RUNS"] ?? 8) },
  );
});
