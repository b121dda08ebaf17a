/** Ownership of payment accounts: a claimed profile does not inherit the former owner's account, and an ended account can be replaced. */

import { expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { releaseHeld } from "#payments/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { processEvents, reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import { findDuePayouts } from "../payouts.store.ts";
import { lockAccount } from "./accounts.store.ts";
import { endBankReturn } from "./accounts.ts";

const app = closeAfterFile(await testApp());

type Person = { headers: Record<string, string> };

async function press(url: string, button: string): Promise<void> {
  await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/${button}` });
  await processEvents(app.services);
  await app.settle();
}

async function open({ headers }: Person) {
  const response = await app.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
  return { status: response.status, body: (await response.json()) as { url: string; message: string } };
}
const payoutsOf = async ({ headers }: Person) =>
  (await (await app.request("/api/artist/payouts", { headers })).json()) as {
    onboarding_status: string;
    frozen_until: string | null;
    bank_return: object | null;
    items: { booking_id: string; amount: number; status: string; waits_for: string | null }[];
  };
const rowOf = (artistId: string) =>
  app.database.db.selectFrom("artist_connect").selectAll().where("artist_id", "=", artistId).executeTakeFirstOrThrow();
const formerOf = (artistId: string) =>
  app.database.db.selectFrom("former_payment_accounts").selectAll().where("artist_id", "=", artistId).execute();
const destinations = async (bookingId: string) =>
  (
    await app.database.db
      .selectFrom("transfers as t")
      .innerJoin("payouts as p", "p.id", "t.payout_id")
      .select(["t.destination", "t.status"])
      .where("p.booking_id", "=", bookingId)
      .execute()
  ).map(({ destination, status }) => [destination, status]);

async function left() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ name: `Left ${crypto.randomUUID().slice(0, 8)}`, userId: user.id });
  const former = { user, headers: await app.signIn(user) };
  await press((await open(former)).body.url, "complete");
  const account = (await rowOf(artist.id)).provider_account ?? "";
  return { artist, former, account };
}

/** The owner deletes the account, another user claims the profile, and an admin approves the claim. */
async function claimed({ artist, former }: Awaited<ReturnType<typeof left>>) {
  const gone = await app.request("/api/me/delete", {
    method: "POST",
    headers: former.headers,
    body: { password: testPassword },
  });
  expect(gone.status).toBe(200);
  await app.settle();
  const user = await app.make.user({ role: "artist", name: artist.name });
  const next = { user, headers: await app.signIn(user) };
  const claim = await app.request("/api/me/claims", {
    method: "POST",
    headers: next.headers,
    body: { artistId: artist.id, evidence: "We play at the Waterworks every May; see our own site." },
  });
  const { id } = (await claim.json()) as { id: string };
  const admin = await app.signIn(await app.make.user({ role: "admin" }));
  const decided = await app.request(`/api/admin/claims/${id}`, {
    method: "POST",
    headers: admin,
    body: { granted: true },
  });
  expect(decided.status).toBe(200);
  await app.settle();
  return next;
}

/** Makes a paid booking of the artist whose share was released and is due. Returns its id. */
async function released(artist: Awaited<ReturnType<typeof left>>["artist"]): Promise<string> {
  const booking = await app.make.booking({ artist });
  const payment = {
    bookingId: booking.id,
    kind: "deposit",
    amount: booking.deposit_cents,
    at: app.clock.now(),
  } as const;
  await app.database.transaction((tx) => makePayment(tx, payment));
  await app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: artist.id,
      currency: "usd",
      commissionBps: 1_000,
      at: app.clock.now(),
    }),
  );
  return booking.id;
}

test("pays a claimed profile to its new owner's account, and neither opens nor pays the former owner's", async () => {
  const one = await left();
  const next = await claimed(one);
  const bookingId = await released(one.artist);
  await makePayouts(app.services);
  expect(await destinations(bookingId)).toEqual([]);
  const shown = await payoutsOf(next);
  expect(shown.onboarding_status).toBe("not_started");
  expect(shown.items.find((item) => item.booking_id === bookingId)).toMatchObject({
    status: "frozen",
    waits_for: "owner",
  });
  await app.request("/api/artist/payment-account/refresh", { method: "POST", headers: next.headers, body: {} });
  expect((await payoutsOf(next)).onboarding_status).toBe("not_started");
  const opened = await open(next);
  expect(new URL(opened.body.url).pathname).toMatch(/^\/sandbox\/onboarding\//);
  await press(opened.body.url, "complete");
  const row = await rowOf(one.artist.id);
  expect(row).toMatchObject({ user_id: next.user.id, onboarding_status: "completed" });
  expect(row.provider_account).not.toBe(one.account);
  expect(await formerOf(one.artist.id)).toMatchObject([
    { provider_account: one.account, user_id: one.former.user.id, why: "other_owner" },
  ]);
  // The new owner's first bank account differs from the previous one, so payouts are frozen as after a change.
  app.clock.advance(73 * hourMs);
  await makePayouts(app.services);
  await app.settle();
  expect(await destinations(bookingId)).toEqual([[row.provider_account, "succeeded"]]);
});

test("emails the artist once when the bank returns a payout, and not a former owner's", async () => {
  const one = await left();
  const account = `${app.services.config.publicUrl}/sandbox/account/${one.account}`;
  const mails = () =>
    app.database.db
      .selectFrom("messages")
      .select(["recipient", "text"])
      .where("ref_id", "=", one.artist.id)
      .where("template", "=", "payout_bank_failed")
      .execute();
  await press(account, "return");
  const reason = "The bank account has been closed";
  const text = expect.stringContaining("returned $100.00 that the payment provider sent") as string;
  expect(await mails()).toEqual([{ recipient: one.former.user.email, text }]);
  expect((await mails())[0]?.text).toContain(`“${reason}”`);
  const shown = { amount: 10_000, currency: "usd", reason };
  expect(await payoutsOf(one.former)).toMatchObject({ bank_return: shown });
  app.clock.advance(1_000);
  await press(account, "pay");
  expect(await payoutsOf(one.former)).toMatchObject({ bank_return: null });
  await press(account, "return");
  // Money that was sent before the return, and whose event arrives late.
  await app.database.transaction((tx) => endBankReturn(tx, one.account, "2020-01-01T00:00:00.000Z"));
  expect(await payoutsOf(one.former)).toMatchObject({ bank_return: shown });
  const events = app.database.db.selectFrom("provider_events").selectAll().where("type", "=", "payout.failed");
  const [event] = await events.execute();
  expect(event?.last_error).toBeNull();
  const next = await claimed(one);
  await open(next);
  await press(account, "return");
  // The deletion of the former owner removed the email above.
  expect(await mails()).toEqual([]);
});

test("the sandbox's bank returns the amount that was sent last", async () => {
  const one = await left();
  await released(one.artist);
  await makePayouts(app.services);
  await app.settle();
  const { items } = await payoutsOf(one.former);
  await press(`${app.services.config.publicUrl}/sandbox/account/${one.account}`, "return");
  expect(items).toMatchObject([{ status: "paid" }]);
  expect(await payoutsOf(one.former)).toMatchObject({ bank_return: { amount: items[0]?.amount, currency: "usd" } });
});

test("applies a retried return of the bank only if no later money has arrived or was returned", async () => {
  const one = await left();
  const account = `${app.services.config.publicUrl}/sandbox/account/${one.account}`;
  const headers = await app.signIn(await app.make.user({ role: "admin" }));
  const returnMoney = async () => {
    app.clock.advance(1_000);
    await press(account, "return");
    return (await rowOf(one.artist.id)).bank_return as { payout: string };
  };
  const retry = async ({ payout }: { payout: string }) => {
    const { id } = await app.database.db
      .updateTable("provider_events")
      .set({ processed_at: null, dead_at: app.clock.now(), next_try_at: app.clock.now() })
      .where("object_id", "=", payout)
      .where("type", "=", "payout.failed")
      .returning("id")
      .executeTakeFirstOrThrow();
    const answer = await app.request(`/api/admin/provider-events/${id}/retry`, { method: "POST", headers, body: {} });
    expect(await answer.json()).toEqual({ error: null });
    await app.settle();
    return (await rowOf(one.artist.id)).bank_return;
  };
  const first = await returnMoney();
  const second = await returnMoney();
  expect(await retry(first)).toEqual(second);
  app.clock.advance(1_000);
  await press(account, "pay");
  expect(await retry(second)).toBeNull();
  const third = await returnMoney();
  expect(await retry(third)).toEqual(third);
  const reported = await app.database.db
    .selectFrom("activity")
    .select("id")
    .where("ref_id", "=", one.artist.id)
    .where("message", "like", "The bank of %")
    .execute();
  expect(reported).toHaveLength(3);
});

test("ignores events and reconciliations of the former owner's account for the new owner's", async () => {
  const one = await left();
  const next = await claimed(one);
  await app.database.transaction((tx) => lockAccount(tx, one.artist.id, app.clock.now()));
  await press(`${app.services.config.publicUrl}/sandbox/account/${one.account}`, "bank");
  const gateway = app.services.gateway!;
  const { createAccount } = gateway;
  Object.assign(gateway, { createAccount: () => Promise.reject(new Error("the process ended")) });
  await open(next);
  Object.assign(gateway, { createAccount });
  await press(`${app.services.config.publicUrl}/sandbox/account/${one.account}`, "bank");
  await reconcile(app.services);
  expect(await rowOf(one.artist.id)).toMatchObject({ user_id: next.user.id, provider_account: null });
});

test("sends a transfer once to the new account after a failed attempt to the former owner's", async () => {
  const one = await left();
  const bookingId = await released(one.artist);
  const gateway = app.services.gateway!;
  const { createTransfer } = gateway;
  Object.assign(gateway, {
    createTransfer: async () => {
      throw new ProviderFailure("no_answer", "the provider is away");
    },
  });
  await makePayouts(app.services);
  Object.assign(gateway, { createTransfer });
  // An account with pending money cannot be deleted, so the profile changes hands as by an operator.
  const user = await app.make.user({ role: "artist" });
  const next = { user, headers: await app.signIn(user) };
  await app.database.db.updateTable("artists").set({ user_id: user.id }).where("id", "=", one.artist.id).execute();
  await press((await open(next)).body.url, "complete");
  for (let turn = 0; turn < 3; turn++) {
    app.clock.advance(73 * hourMs);
    await makePayouts(app.services);
  }
  const { provider_account: account } = await rowOf(one.artist.id);
  expect(await destinations(bookingId)).toEqual([[account, "succeeded"]]);
  expect(account).not.toBe(one.account);
});

test.each([
  ["reject", "rejected"],
  ["close", "gone"],
])("notifies the artist of an account that ends at the provider (%s), and opens a new one", async (button, why) => {
  const admin = await app.make.user({ role: "admin" });
  const one = await left();
  const bookingId = await released(one.artist);
  const need = async () =>
    (await (await app.request("/api/artist/overview", { headers: one.former.headers })).json()) as object;
  expect(await need()).toMatchObject({ payment_account: null });
  const { pathname } = new URL((await open(one.former)).body.url);
  await press(`${app.services.config.publicUrl}${pathname}`, button);
  expect(await need()).toMatchObject({ payment_account: "ended" });
  expect(await payoutsOf(one.former)).toMatchObject({ onboarding_status: "not_started", ended: why });
  const again = await open(one.former);
  if (again.status !== 200) {
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("Use the button again") as string },
    });
    await app.settle();
  }
  expect(await formerOf(one.artist.id)).toMatchObject([{ provider_account: one.account, why }]);
  const mails = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "template"])
    .where("ref_id", "=", one.artist.id)
    .where("template", "=", "payout_account_ended")
    .execute();
  expect(mails).toEqual([{ recipient: one.former.user.email, template: "payout_account_ended" }]);
  // A provider rejects an account after a review, so the operator must know before more is sold.
  const alarms = await app.database.db
    .selectFrom("messages")
    .select("text")
    .where("recipient", "=", admin.email)
    .where("template", "=", "money_alarm")
    .execute();
  const texts = alarms.map(({ text }) => text.replaceAll(/\s+/g, " "));
  expect(texts.filter((text) => text.includes("was rejected by the payment provider"))).toHaveLength(
    why === "rejected" ? 1 : 0,
  );
  const next = (await open(one.former)).body.url;
  expect(await payoutsOf(one.former)).toMatchObject({ ended: null });
  await press(next, "complete");
  expect(await need()).toMatchObject({ payment_account: null });
  const shown = await payoutsOf(one.former);
  expect(shown).toMatchObject({ onboarding_status: "completed", frozen_until: expect.any(String) as string });
  expect(shown.items.find((item) => item.booking_id === bookingId)).toMatchObject({
    waits_for: "bank",
    due_at: shown.frozen_until,
  });
  expect((await rowOf(one.artist.id)).provider_account).not.toBe(one.account);
});

test("finds the due payout of a profile that its owner has left", async () => {
  const one = await left();
  const bookingId = await released(one.artist);
  await app.database.db.updateTable("artists").set({ user_id: null }).where("id", "=", one.artist.id).execute();
  expect((await findDuePayouts(app.database.db, app.clock.now(), 50)).map(({ booking_id: id }) => id)).toContain(
    bookingId,
  );
});
