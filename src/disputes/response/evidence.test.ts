import { afterAll, describe, expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { duringLookup } from "#test/harness/provider/during-lookup.ts";
import { disputedBookings, makeAdmin } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { requestEvidence } from "../index.ts";
import { sendEvidence } from "./evidence.ts";

const provider = memoryProvider();
const { submitted, failures } = provider.disputes;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
const admin = await makeAdmin(app);
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf, steps } = disputedBookings(provider, () => app);

describe("sendEvidence", () => {
  const pdf = {
    field: "customer_signature",
    name: "contract.pdf",
    mediaType: "application/pdf",
    bytes: Buffer.from("%PDF-1.7"),
  };
  const request = async (charge: string) => {
    const { id: disputeId } = await rowOf(charge);
    const texts = { service_date: "2027-02-13" };
    await app.inTx((tx) => requestEvidence(tx, { disputeId, by: admin, texts, files: [pdf], now: app.clock.now() }));
    return disputeId;
  };
  const sent = (charge: string) => submitted.filter(({ dispute }) => dispute === `du_${charge}`);

  test("sends evidence once with concurrent processes, with its file and its texts", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    await request(one.deposit);
    await Promise.all(Array.from({ length: 6 }, () => sendEvidence(app.services)));
    expect(sent(one.deposit)).toMatchObject([
      { parts: { service_date: "2027-02-13", customer_signature: expect.stringMatching(/^file_/) as string } },
    ]);
    expect(await rowOf(one.deposit)).toMatchObject({ status: "under_review", submissions: 1 });
    await expect(request(one.deposit)).rejects.toThrow("Evidence was already sent for this dispute.");
    expect(await steps(one.bookingId)).toEqual(["opened", "withdrawn", "evidence_sent"]);
  });

  test.each(["lost", "server_error", "away"] as const)(
    "finds evidence after a failed response (%s), and does not send it twice",
    async (failure) => {
      const one = await booked("before the show");
      await hear(disputeOf(one.deposit, "needs_response"));
      await request(one.deposit);
      failures.push(failure);
      await sendEvidence(app.services);
      for (let turn = 0; turn < 3; turn++) {
        app.clock.advance(30 * hourMs);
        await sendEvidence(app.services);
      }
      expect(sent(one.deposit)).toHaveLength(1);
      expect((await steps(one.bookingId)).filter((step) => step === "evidence_sent")).toHaveLength(1);
    },
  );

  test("publishes evidence that the provider refuses, and sends it again", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    await request(one.deposit);
    failures.push("refused");
    await sendEvidence(app.services);
    expect(sent(one.deposit)).toEqual([]);
    await request(one.deposit);
    // The second process sends it after the claim of the first one, which has already looked it up.
    const send = () => sendEvidence(app.services);
    await duringLookup(app.services.gateway, "retrieveDispute", send, async () => {
      app.clock.advance(hourMs);
      await send();
    });
    expect(sent(one.deposit)).toHaveLength(1);
    expect(await steps(one.bookingId)).toEqual(["opened", "withdrawn", "evidence_refused", "evidence_sent"]);
  });

  test("refuses a dispute that is decided, answered elsewhere, or past its deadline", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response", { submissions: 1 }));
    await expect(request(one.deposit)).rejects.toThrow("The bank already has evidence for this dispute");
    const [, balance = ""] = one.refs;
    await hear(disputeOf(balance, "needs_response"));
    app.clock.advance(10 * dayMs);
    await expect(request(balance)).rejects.toThrow("The time to answer this dispute is over.");
    await hear(disputeOf(balance, "lost"));
    await expect(request(balance)).rejects.toThrow("This dispute no longer accepts evidence.");
  });
});
