import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { messagesTo } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paidBookings, winAppeal } from "#test/harness/disputes.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { booked, settle } = paidBookings(() => app);

async function lost() {
  const one = await booked();
  const dispute = await openDispute(app, await one.ref("deposit"));
  await decideDispute(app, dispute, "lose");
  await settle();
  const emails = async (to: string) =>
    (await messagesTo(app, to))
      .filter(({ template }) => template === "dispute_closed")
      .slice(1)
      .map(({ text }) => text.replaceAll(/\s+/g, " "));
  return { ...one, dispute, emails };
}

test("both parties are emailed of each part of the money that the bank returns after an appeal", async () => {
  const { artistUser, booking, dispute, emails } = await lost();
  for (const part of [20_000, 17_500]) {
    await winAppeal(app, dispute, { parts: [part] });
    await settle();
  }
  const [first, second, ...more] = await emails(artistUser.email);
  expect(first).toContain(
    "now been won on appeal. The bank has not returned $175 of it yet. We email you when more arrives.",
  );
  expect(first).toContain("$200 is held for this booking again. Your share of the price is now $1,192.50.");
  expect(second).toContain("has returned $175 since our last email. It has now returned all of the money.");
  expect(second).toContain("$375 is held for this booking again. Your share of the price is now $1,350.");
  expect(more).toEqual([]);
  const ofPromoter = await emails(booking.promoter_email);
  expect(ofPromoter).toHaveLength(2);
  for (const text of ofPromoter) expect(text).toContain("The payment remains part of this booking.");
});

test("each part of one report is emailed with what was missing and held after it", async () => {
  const { artistUser, dispute, emails } = await lost();
  await winAppeal(app, dispute, { parts: [10_000] });
  await winAppeal(app, dispute, { parts: [7_500, 20_000] });
  await settle();
  const texts = await emails(artistUser.email);
  expect(texts).toHaveLength(3);
  expect(texts[0]).toContain("now been won on appeal. The bank has not returned $275 of it yet.");
  expect(texts[1]).toContain("has returned $75 since our last email. The bank has not returned $200 of it yet.");
  expect(texts[1]).toContain("$175 is held for this booking again.");
  expect(texts[2]).toContain("has returned $200 since our last email. It has now returned all of the money.");
  expect(texts[2]).toContain("$375 is held for this booking again. Your share of the price is now $1,350.");
});
