import { expect, onTestFinished, test, vi } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { bankFreezeHours } from "../accounts.rules.ts";
import { syncAccount, syncConnectAccount } from "./accounts.ts";

const app = closeAfterFile(await testApp());

async function artist() {
  const user = await app.make.user({ role: "artist" });
  const { id } = await app.make.artist({ userId: user.id });
  const headers = await app.signIn(user);
  const open = async () => {
    const response = await app.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
    return { status: response.status, body: (await response.json()) as { url: string; message: string } };
  };
  const status = async () =>
    (await (await app.request("/api/artist/payouts", { headers })).json()) as {
      onboarding_status: string;
      frozen_until: string | null;
    };
  return { id, user, headers, open, status };
}

async function press(url: string, button: string) {
  const response = await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/${button}` });
  await processEvents(app.services);
  await app.settle();
  return { status: response.statusCode, location: String(response.headers.location) };
}

const row = (artistId: string) =>
  app.database.db.selectFrom("artist_connect").selectAll().where("artist_id", "=", artistId).executeTakeFirst();
const accounts = async () =>
  (await app.database.db.selectFrom("sandbox_objects").select("id").where("kind", "=", "account").execute()).length;

test("opens the onboarding for the first request, and stores the status of each of its three outcomes", async () => {
  const { id, user, headers, open, status } = await artist();
  expect((await status()).onboarding_status).toBe("not_started");
  const first = await open();
  expect(new URL(first.body.url).pathname).toMatch(/^\/sandbox\/onboarding\/acctlink_/);
  const back = await press(first.body.url, "pending");
  expect(new URL(back.location).pathname + new URL(back.location).search).toBe("/artist/payouts?account=returned");
  expect((await status()).onboarding_status).toBe("pending");
  const need = async () =>
    ((await (await app.request("/api/artist/overview", { headers })).json()) as { payment_account: string | null })
      .payment_account;
  expect(await need()).toBe(null);
  await press((await open()).body.url, "restrict");
  expect((await status()).onboarding_status).toBe("restricted");
  expect(await need()).toBe("restricted");
  await app.request("/api/artist/payment-account/refresh", { method: "POST", headers, body: {} });
  await app.settle();
  const emails = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "template"])
    .where("ref_id", "=", id)
    .execute();
  expect(emails).toEqual([{ recipient: user.email, template: "payout_account_restricted" }]);
  const dashboard = await open();
  expect(new URL(dashboard.body.url).pathname).toBe(`/sandbox/account/${(await row(id))?.provider_account}`);
  await press(dashboard.body.url, "complete");
  expect((await status()).onboarding_status).toBe("completed");
});

test("stores the latest status when an earlier answer of the provider arrives after it", async () => {
  const { id, open, status } = await artist();
  await press((await open()).body.url, "pending");
  const gateway = app.services.gateway!;
  const { retrieveAccount } = gateway;
  onTestFinished(() => void Object.assign(gateway, { retrieveAccount }));
  const [answered, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = vi.fn(retrieveAccount).mockImplementationOnce(async (ref) => {
    const earlier = await retrieveAccount(ref);
    answered.resolve();
    await arrived.promise;
    return earlier;
  });
  Object.assign(gateway, { retrieveAccount: held });
  const first = syncConnectAccount(app.services, gateway, (await row(id))?.provider_account ?? "");
  await answered.promise;
  await press((await open()).body.url, "complete");
  expect((await status()).onboarding_status).toBe("completed");
  arrived.resolve();
  expect((await first)?.state).toBe("completed");
  expect((await status()).onboarding_status).toBe("completed");
});

test("accepts an onboarding link once and for five minutes", async () => {
  const { open } = await artist();
  const { url } = (await open()).body;
  await press(url, "complete");
  const page = await app.server.inject({ method: "GET", url: new URL(url).pathname });
  expect(page.body).toContain("This link has ended");
  expect((await press(url, "restrict")).location).toContain("/artist/payouts");
  const { open: openOther, status } = await artist();
  const late = (await openOther()).body.url;
  app.clock.advance(301_000);
  await press(late, "complete");
  expect((await status()).onboarding_status).toBe("pending");
});

test("creates one account for ten concurrent requests, and for a repeat after a lost response", async () => {
  const { open } = await artist();
  const before = await accounts();
  const answers = await Promise.all(Array.from({ length: 10 }, open));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await accounts()).toBe(before + 1);

  const other = await artist();
  const gateway = app.services.gateway!;
  const { createAccount } = gateway;
  const lose = (kind: "no_answer" | "server_error") =>
    Object.assign(gateway, {
      createAccount: async (request: Parameters<typeof createAccount>[0]) => {
        await createAccount(request);
        throw new ProviderFailure(kind, "the answer was lost");
      },
    });
  for (const kind of ["no_answer", "server_error"] as const) {
    lose(kind);
    expect((await other.open()).status).toBe(503);
  }
  Object.assign(gateway, { createAccount });
  app.clock.advance(21 * hourMs);
  const headers = await app.signIn(other.user);
  const again = await app.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
  expect(again.status).toBe(200);
  expect(await accounts()).toBe(before + 2);

  const third = await artist();
  Object.assign(gateway, { createAccount: () => Promise.reject(new ProviderFailure("server_error", "it failed")) });
  expect((await third.open()).status).toBe(503);
  Object.assign(gateway, { createAccount });
  await Promise.all(Array.from({ length: 10 }, third.open));
  expect(await accounts()).toBe(before + 3);
});

test("logs a missing permission of the key as an error for the operator", async () => {
  const { open } = await artist();
  const gateway = app.services.gateway!;
  const { createAccount } = gateway;
  const logged = vi.spyOn(app.services.log, "error");
  onTestFinished(() => {
    Object.assign(gateway, { createAccount });
    logged.mockRestore();
  });
  const missing = new ProviderFailure("no_permission", "The key lacks a permission.");
  Object.assign(gateway, { createAccount: () => Promise.reject(missing) });
  expect(await open()).toMatchObject({
    status: 503,
    body: { message: "Your payment account could not be opened. Please try again in a moment." },
  });
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ err: missing }), expect.any(String));
});

test("syncs the account on return although no webhook has arrived", async () => {
  const { open, status, headers } = await artist();
  const { url } = (await open()).body;
  app.services.sandbox?.deliverTo(async () => false);
  try {
    await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/complete` });
    expect((await status()).onboarding_status).toBe("pending");
    await app.request("/api/artist/payment-account/refresh", { method: "POST", headers, body: {} });
    expect((await status()).onboarding_status).toBe("completed");
  } finally {
    app.services.sandbox?.deliverTo(async (payload, sent, endpoint) => {
      const url = `/api/webhooks/stripe${endpoint === "connect" ? "/connect" : ""}`;
      return (await app.server.inject({ method: "POST", url, headers: { ...sent }, payload })).statusCode < 300;
    });
  }
});

test("freezes payouts for 72 hours and sends an email after a change of the bank account, but not for the first or the same one", async () => {
  const { id, user, open, status } = await artist();
  await press((await open()).body.url, "complete");
  expect((await status()).frozen_until).toBe(null);
  const { url } = (await open()).body;
  await press(url, "restrict");
  await press(url, "complete");
  expect((await status()).frozen_until).toBe(null);
  await press(url, "bank");
  const until = app.clock.now().getTime() + bankFreezeHours * hourMs;
  const frozenUntil = new Date((await status()).frozen_until ?? 0).getTime();
  expect(Math.abs(frozenUntil - until)).toBeLessThan(60_000);
  const mails = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "template"])
    .where("ref_id", "=", id)
    .execute();
  expect(mails.map(({ template }) => template).toSorted()).toEqual([
    "payout_account_restricted",
    "payout_bank_changed",
  ]);
  for (const { recipient } of mails) expect(recipient).toBe(user.email);
  app.clock.advance(bankFreezeHours * hourMs + 1);
  const headers = await app.signIn(user);
  const later = await (await app.request("/api/artist/payouts", { headers })).json();
  expect(later).toMatchObject({ frozen_until: null });
});

test("ignores another account with the same metadata, and returns a conflict (409) to an artist without a profile", async () => {
  const mine = await artist();
  const { url } = (await mine.open()).body;
  await press(url, "complete");
  const gateway = app.services.gateway!;
  const stranger = await gateway.createAccount({
    artistId: mine.id,
    ownerId: mine.user.id,
    key: "another account with the same mark",
  });
  await app.request("/api/artist/payment-account/refresh", { method: "POST", headers: mine.headers, body: {} });
  await app.database.transaction((tx) =>
    syncAccount(tx, { ...stranger, state: "restricted", submitted: true }, app.clock.now()),
  );
  expect((await mine.status()).onboarding_status).toBe("completed");
  const user = await app.make.user({ role: "artist" });
  const headers = await app.signIn(user);
  const response = await app.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
  expect(response.status).toBe(409);
});

test("is opened outside demo mode only after a recent authentication, because its page asks for none", async () => {
  const strict = closeAfterFile(
    await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example" }, now: new Date() }),
  );
  const user = await strict.make.user({ role: "artist" });
  await strict.make.artist({ userId: user.id });
  const headers = await strict.signIn(user);
  const open = async () => {
    const response = await strict.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
    return (await response.json()) as unknown;
  };
  expect(await open()).toMatchObject({ code: "unavailable", message: "Payments are not set up yet." });
  strict.clock.advance(6 * minuteMs);
  expect(await open()).toMatchObject({ code: "reauthentication_needed" });
});
