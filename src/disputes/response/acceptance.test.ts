import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { disputedBookings, makeAdmin } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { requestEvidence } from "../index.ts";
import { acceptDispute } from "./acceptance.ts";
import { sendEvidence } from "./evidence.ts";

const provider = memoryProvider();
const { accepted, failures } = provider.disputes;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
const admin = await makeAdmin(app);
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf, steps } = disputedBookings(provider, () => app);

describe("acceptDispute", () => {
  const accept = async (charge: string) => acceptDispute(app.services, (await rowOf(charge)).id);
  const acceptedOf = (charge: string) => accepted.filter(({ dispute }) => dispute === `du_${charge}`);

  test("closes the dispute at the provider once, and divides the loss", async () => {
    const one = await booked("between show and payout");
    await hear(disputeOf(one.deposit, "needs_response"));
    await accept(one.deposit);
    expect(acceptedOf(one.deposit)).toHaveLength(1);
    expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_artist: 33_750, from_platform: 3_750 });
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    expect((await steps(one.bookingId)).filter((step) => step === "closed")).toHaveLength(1);
    await expectSound(app);
  });

  test.each(["lost", "server_error", "away"] as const)(
    "closes the dispute once after a failed response (%s)",
    async (failure) => {
      const one = await booked("before the show");
      await hear(disputeOf(one.deposit, "needs_response"));
      failures.push(failure);
      await expect(accept(one.deposit)).rejects.toThrow("The payment provider did not answer.");
      expect((await rowOf(one.deposit)).status).toBe("needs_response");
      expect(await accept(one.deposit)).toBe(failure === "away");
      expect(acceptedOf(one.deposit)).toHaveLength(1);
      expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 37_500 });
      await expectSound(app);
    },
  );

  test("divides the loss even if the refunds before it cannot be fetched", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const findRefunds = () => Promise.reject(new ProviderFailure("no_answer", "away"));
    const services = { ...app.services, gateway: { ...provider.gateway, findRefunds } };
    expect(await acceptDispute(services, (await rowOf(one.deposit)).id)).toBe(true);
    expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 37_500 });
  });

  test("refuses an inquiry, an answered or decided dispute, and one that the provider does not close", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "warning_needs_response"));
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await hear(disputeOf(one.deposit, "needs_response"));
    failures.push("refused");
    await expect(accept(one.deposit)).rejects.toThrow(
      "The payment provider refused the acceptance: This dispute cannot be closed.",
    );
    await hear(disputeOf(one.deposit, "under_review", { submissions: 1 }));
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await expect(acceptDispute(app.services, randomUUID())).rejects.toThrow("Dispute not found");
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("syncs a dispute that was decided in the meantime, and returns false", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    provider.disputes.disputes.set(`du_${one.deposit}`, disputeOf(one.deposit, "won"));
    expect(await accept(one.deposit)).toBe(false);
    expect((await rowOf(one.deposit)).status).toBe("won");
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("refuses when evidence is stored during the provider call", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    const answers = { disputeId, by: admin, texts: { service_date: "2027-02-13" }, files: [], now: app.clock.now() };
    const gateway = {
      ...provider.gateway,
      retrieveDispute: async (ref: string) => {
        await app.inTx((tx) => requestEvidence(tx, answers));
        return provider.gateway.retrieveDispute(ref);
      },
    };
    await expect(acceptDispute({ ...app.services, gateway }, disputeId)).rejects.toThrow("can no longer be accepted");
    expect(acceptedOf(one.deposit)).toEqual([]);
    await sendEvidence(app.services);
  });

  test("prevents the storage of evidence while the provider closes the dispute, and no longer", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    const answers = { disputeId, by: admin, texts: { service_date: "2027-02-13" }, files: [], now: app.clock.now() };
    const submitEvidence = () => app.inTx((tx) => requestEvidence(tx, answers));
    const meanwhile: PromiseSettledResult<void>[] = [];
    const gateway = {
      ...provider.gateway,
      acceptDispute: async (call: Parameters<typeof provider.gateway.acceptDispute>[0]) => {
        meanwhile.push(...(await Promise.allSettled([submitEvidence()])));
        return provider.gateway.acceptDispute(call);
      },
    };
    const acceptMeanwhile = () => acceptDispute({ ...app.services, gateway }, disputeId);
    const isRefused = { reason: { message: expect.stringContaining("is being accepted right now") as string } };

    // The response is lost. The provider may have closed the dispute, so evidence is refused until that is known.
    failures.push("away");
    await expect(acceptMeanwhile()).rejects.toThrow("The payment provider did not answer.");
    await expect(submitEvidence()).rejects.toThrow("is being accepted right now");
    // The provider refuses, so the dispute can be answered immediately.
    failures.push("refused");
    await expect(acceptMeanwhile()).rejects.toThrow("This dispute cannot be closed.");
    expect(meanwhile).toMatchObject([isRefused, isRefused]);
    await submitEvidence();
    await expect(acceptMeanwhile()).rejects.toThrow("can no longer be accepted");
    await sendEvidence(app.services);
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("refuses while evidence is waiting to be sent", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    await app.inTx((tx) =>
      requestEvidence(tx, {
        disputeId,
        by: admin,
        texts: { service_date: "2027-02-13" },
        files: [],
        now: app.clock.now(),
      }),
    );
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await sendEvidence(app.services);
  });
});
