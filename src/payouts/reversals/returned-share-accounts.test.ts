import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makeUser } from "#test/factories/users.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { type Booked, disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { lockAccount, retireAccount } from "../accounts/accounts.store.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf, sentFor, balances, wonBack, returnShare } = disputedBookings(
  provider,
  () => app,
);

const moveTo = (account: string, { artistId }: Booked) =>
  app.database.db
    .updateTable("artist_connect")
    .set({ provider_account: account })
    .where("artist_id", "=", artistId)
    .execute();

test("throws while the artist's account is another owner's than the one that the share was reversed from", async () => {
  const one = await wonBack();
  const move = (account: string) => moveTo(account, one);
  await move(`acct_later_${one.artistId}`);
  await expect(returnShare(one)).rejects.toThrow("a payment account of another owner");
  expect((await rowOf(one.deposit)).returned_at).toBeNull();
  await move(`acct_${one.artistId}`);
  await returnShare(one);
  await makePayouts(app.services);
  expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
  await expectSound(app);
});

test("sends a share to the account of its payout, or fails the payout when the account changes first", async () => {
  const one = await wonBack();
  await returnShare(one);
  const sent = () => sentFor(one.bookingId).map(({ destination }) => destination);
  const before = sent();
  const move = (account: string) => moveTo(account, one);
  const payout = async () => (await payoutsOf(app.database.db, [one.bookingId], app.clock.now())).get(one.bookingId);
  const retry = () =>
    app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()));
  await move(`acct_later_${one.artistId}`);
  await makePayouts(app.services);
  expect(sent()).toEqual(before);
  expect(await payout()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("who is no longer the artist's") as string,
  });
  expect((await app.topics(one.bookingId)).filter((topic) => topic === "payout.failed")).toHaveLength(2);
  await retry();
  await makePayouts(app.services);
  expect(sent()).toEqual(before);
  await move(`acct_${one.artistId}`);
  await retry();
  await makePayouts(app.services);
  expect(sent()).toEqual([...before, `acct_${one.artistId}`, `acct_${one.artistId}`]);
  expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
  await expectSound(app);
});

test("sends a share to the new account of the same owner, after the freeze", async () => {
  const one = await wonBack();
  const { id: userId } = await app.database.transaction((tx) => makeUser(tx, { role: "artist" }));
  const connect = app.database.db.updateTable("artist_connect").where("artist_id", "=", one.artistId);
  await connect.set({ user_id: userId }).execute();
  await app.database.db.updateTable("artists").set({ user_id: userId }).where("id", "=", one.artistId).execute();
  const [former, next] = [`acct_${one.artistId}`, `acct_next_${one.artistId}`];
  await app.inTx(async (tx) => {
    const row = await lockAccount(tx, one.artistId, app.clock.now());
    await retireAccount(tx, row, { userId, why: "gone", now: app.clock.now() });
  });
  await returnShare(one);
  await makePayouts(app.services);
  const view = async () => (await payoutsOf(app.database.db, [one.bookingId], app.clock.now())).get(one.bookingId);
  expect(await view()).toMatchObject({ status: "pending", waits: "account" });
  await makePayouts(app.services);
  const waits = (await app.publishedEvents(one.bookingId)).filter(({ topic }) => topic === "payout.awaits_account");
  const { id: disputeId } = await rowOf(one.deposit);
  expect(waits.map(({ body }) => body)).toMatchObject([{ amount: 33_750, account: "not_started", disputeId }]);
  const frozenUntil = new Date(app.clock.now().getTime() + 72 * hourMs);
  const complete = { provider_account: next, onboarding_status: "completed" } as const;
  await connect.set({ ...complete, frozen_until: frozenUntil }).execute();
  await makePayouts(app.services);
  expect(await view()).toMatchObject({ status: "frozen", waits: "bank", dueAt: frozenUntil });
  app.clock.advance(73 * hourMs);
  await makePayouts(app.services);
  expect(await view()).toMatchObject({ status: "paid" });
  expect(sentFor(one.bookingId).map(({ destination }) => destination)).toEqual([former, former, next, next]);
  expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
  await expectSound(app);
});

test("assigns an unsent share to the account of its payout in migration 0422", async () => {
  const one = await wonBack();
  await returnShare(one);
  const { id } = await rowOf(one.deposit);
  const returned = () =>
    app.database.db.selectFrom("transfers").select("destination").where("returned_dispute_id", "=", id).execute();
  const bound = await returned();
  expect(new Set(bound.map(({ destination }) => destination))).toEqual(new Set([`acct_${one.artistId}`]));
  await app.database.db
    .updateTable("transfers")
    .set({ destination: null })
    .where("returned_dispute_id", "=", id)
    .execute();
  const file = new URL("../../../migrations/0422_accounts_of_returned_shares.sql", import.meta.url);
  await sql.raw(await readFile(file, "utf8")).execute(app.database.db);
  expect(await returned()).toEqual(bound);
  await makePayouts(app.services);
  await expectSound(app);
});

test("throws if the payout went to another account, even without a reversal", async () => {
  const one = await booked("between show and payout");
  await hear(disputeOf(one.deposit, "lost"));
  await makePayouts(app.services);
  await hear(disputeOf(one.deposit, "won"));
  await app.database.db
    .updateTable("artist_connect")
    .set({ provider_account: `acct_later_${one.artistId}` })
    .where("artist_id", "=", one.artistId)
    .execute();
  await expect(returnShare(one)).rejects.toThrow("a payment account of another owner");
  await expectSound(app);
});
