import { afterAll, beforeAll, expect, test } from "vitest";
import type { DisputeChanged } from "#disputes/rules.ts";
import type { PayoutAccountChanged } from "#payouts/accounts.rules.ts";
import type { PayoutFailed } from "#payouts/payouts.rules.ts";
import { publish } from "#platform/event-outbox.ts";
import { messagesTo } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  // As while the demo clock is moved: events are handled at the same time, to the millisecond.
  const stopped = app.clock.now();
  app.clock.now = () => stopped;
});
afterAll(() => app.close());

const publishAll = async (topic: string, bodies: readonly object[]) => {
  await app.database.transaction(async (tx) => {
    for (const body of bodies) await publish(tx, topic, body);
  });
  await app.settle();
};

test("alerts admins of each refused evidence, refused payout, and part that makes a refund due again", async () => {
  const admin = await app.make.user({ role: "admin" });
  const { id: bookingId } = await app.make.booking({ status: "contract_signed" });
  const dispute = {
    disputeId: crypto.randomUUID(),
    bookingId,
    amount: 37_500,
    currency: "usd",
    reason: "product_not_received",
    status: "won",
    dueAt: null,
  };
  await publishAll("dispute.changed", [
    { ...dispute, step: "evidence_refused", error: "The file is too large." },
    { ...dispute, step: "evidence_refused", error: "The file cannot be read." },
    { ...dispute, step: "refunds_reopened", reopened: 0, rest: 10_000 },
    { ...dispute, step: "refunds_reopened", reopened: 25_000 },
  ] satisfies DisputeChanged[]);
  const payout = { what: "transfer", bookingId, amount: 45_000, currency: "usd" } as const;
  await publishAll("payout.failed", [
    { ...payout, reason: "The account is closed." },
    { ...payout, reason: "The account was rejected." },
  ] satisfies PayoutFailed[]);
  const alarms = (await messagesTo(app, admin.email)).map(({ text }) => text).join("\n");
  for (const part of ["too large", "cannot be read", "$100.00 of", "$250.00 of", "is closed", "was rejected"])
    expect(alarms).toContain(part);
});

test("emails the artist of each restriction of the payment account", async () => {
  const user = await app.make.user({ role: "artist" });
  const { id: artistId } = await app.make.artist({ userId: user.id });
  const restricted = { artistId, userId: user.id, from: "completed", to: "restricted", frozenUntil: null } as const;
  await publishAll("payout_account.changed", [restricted, restricted] satisfies PayoutAccountChanged[]);
  expect((await messagesTo(app, user.email)).map(({ template }) => template)).toEqual([
    "payout_account_restricted",
    "payout_account_restricted",
  ]);
});
