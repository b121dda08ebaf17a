import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, post } from "#ledger/index.ts";
import { decideDispute, openDispute, paymentOf } from "#test/harness/disputes.ts";
import { type TestApp, testPassword, testApp } from "#test/test-app.ts";
import { findDeletionObstacle } from "./account/delete-account.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const artistRow = (id: string) =>
  app.database.db.selectFrom("artists").select(["user_id", "is_active"]).where("id", "=", id).executeTakeFirstOrThrow();

describe("whole app", () => {
  it("assigns the artist of a granted claim, and retires it when the account is deleted", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artist = await app.make.artist({ name, userId: null });
    const person = await app.make.user({ role: "artist", name });
    const admin = await app.make.user({ role: "admin" });
    const [personHeaders, adminHeaders] = [await app.signIn(person), await app.signIn(admin)];
    const claim = await app.request("/api/me/claims", {
      headers: personHeaders,
      body: { artistId: artist.id, evidence: "We play at the Waterworks every May." },
    });
    const { id } = (await claim.json()) as { id: string };
    await app.request(`/api/admin/claims/${id}`, { headers: adminHeaders, body: { granted: true } });
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: person.id, is_active: true });
    expect(
      (await app.request("/api/me/delete", { headers: personHeaders, body: { password: testPassword } })).status,
    ).toBe(200);
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: null, is_active: false });
    expect((await app.request("/api/me", { headers: personHeaders })).status).toBe(401);
  });

  it("puts the email of a sign-up into the demo's outbox with a link that opens the account", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const signedUp = await app.request("/auth/v1/signup", {
      body: { email, password: testPassword, data: { name: "Otto", role: "artist" } },
    });
    const cookie = signedUp.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const outbox = (await (await app.request(`/api/dev/outbox?to=${email}`)).json()) as {
      to: string;
      text: string;
    }[];
    const token = /token_hash=([\w-]+)/.exec(outbox[0]?.text ?? "")?.[1];
    const verified = await app.request("/auth/v1/verify", {
      headers: { cookie },
      body: { type: "signup", token_hash: token },
    });
    expect(verified.status).toBe(200);
    await app.settle();
    const headers = await app.signIn({ email });
    expect(await (await app.request("/api/me", { headers })).json()).toMatchObject({
      name: "Otto",
      role: "artist",
      emailVerified: true,
    });
  });

  it("sends the emails of a booking to the new address of its account, and to the former one after an undo", async () => {
    const { db } = app.database;
    const promoter = await app.make.user({ role: "promoter" });
    const headers = await app.signIn(promoter);
    const booking = await app.make.booking({
      promoterUserId: promoter.id,
      promoterEmail: promoter.email.toUpperCase(),
    });
    const others = await app.make.booking({ promoterUserId: promoter.id, promoterEmail: "venue@people.test" });
    const addressOf = async ({ id }: { id: string }) =>
      (await db.selectFrom("bookings").select("promoter_email").where("id", "=", id).executeTakeFirstOrThrow())
        .promoter_email;
    const tokenTo = async (to: string) => {
      const outbox = (await (await app.request(`/api/dev/outbox?to=${to}`)).json()) as { text: string }[];
      return /token_hash=([\w-]+)/.exec(outbox[0]?.text ?? "")?.[1];
    };
    const changed = `new-${promoter.email}`;
    await app.request("/auth/v1/user", { method: "PUT", headers, body: { email: changed } });
    for (const to of [changed, promoter.email])
      await app.request("/auth/v1/verify", { body: { type: "email_change", token_hash: await tokenTo(to) } });
    await app.settle();
    expect([await addressOf(booking), await addressOf(others)]).toEqual([changed, "venue@people.test"]);

    const newHeaders = await app.signIn({ email: changed });
    const exported = (await (
      await app.request("/api/me/export", { headers: newHeaders, body: { password: testPassword } })
    ).json()) as { tables: Record<string, Record<string, string>[]> };
    expect(new Set(exported.tables["messages"]?.map(({ recipient }) => recipient))).toEqual(
      new Set([changed, promoter.email]),
    );

    await app.request("/api/account-changes/undo", { body: { token: await tokenTo(promoter.email) } });
    await app.settle();
    expect(await addressOf(booking)).toBe(promoter.email);
  });

  it("deletes what was sent to a former address with its account, unless another account has the address now", async () => {
    const { db } = app.database;
    const [gone, other] = [await app.make.user(), await app.make.user()];
    const former = `former-${gone.email}`;
    await db
      .updateTable("users")
      .set({ former_emails: [former, other.email] })
      .where("id", "=", gone.id)
      .execute();
    for (const recipient of [former, other.email])
      await db
        .insertInto("messages")
        .values({ channel: "email", recipient, template: "contract_sent", subject: "Please sign", text: "" })
        .execute();
    const headers = await app.signIn(gone);
    const deleted = await app.request("/api/me/delete", { headers, body: { password: testPassword } });
    expect(deleted.status).toBe(200);
    const left = await db.selectFrom("messages").select("recipient").where("template", "=", "contract_sent").execute();
    expect(left.map(({ recipient }) => recipient)).not.toContain(former);
    expect(left.map(({ recipient }) => recipient)).toContain(other.email);
    const row = await db
      .selectFrom("users")
      .select("former_emails")
      .where("id", "=", gone.id)
      .executeTakeFirstOrThrow();
    expect(row.former_emails).toEqual([]);
  });

  it("does not delete the account of either side while a payment of a finished booking is disputed", async () => {
    const promoter = await app.make.user({ role: "promoter" });
    const owner = await app.make.user({ role: "artist" });
    const artist = await app.make.artist({ userId: owner.id });
    const { id } = await app.make.booking({ artist, status: "completed", balancePaid: true });
    await app.database.transaction((tx) =>
      tx.updateTable("bookings").set({ promoter_user_id: promoter.id }).where("id", "=", id).execute(),
    );
    const dispute = await openDispute(app, (await paymentOf(app, id, "balance")).ref);
    for (const user of [promoter, owner]) {
      const headers = await app.signIn(user);
      expect(await (await app.request("/api/me/deletion-obstacle", { headers })).json()).toEqual({
        obstacle: "open_dispute",
      });
      const refused = await app.request("/api/me/delete", { headers, body: { password: testPassword } });
      expect(refused.status).toBe(409);
    }
    await decideDispute(app, dispute, "win");
    const obstacle = () => findDeletionObstacle(app.database.db, promoter.id, app.clock.now());
    expect(await obstacle()).toBeNull();
    const paid = await paymentOf(app, id, "deposit");
    const refused = { amount: 100, currency: "usd", reason: "refused", cause_key: `refused ${id}`, status: "failed" };
    await app.database.db
      .insertInto("refunds")
      .values({ ...refused, payment_id: paid.id, provider_payment: paid.ref })
      .execute();
    expect(await obstacle()).toBe("open_refund");
  });

  it("does not delete the account of an artist who is owed earnings", async () => {
    const user = await app.make.user({ role: "artist" });
    const artist = await app.make.artist({ userId: user.id });
    const headers = await app.signIn(user);
    const owe = (cause: string, amount: number) =>
      app.database.transaction((tx) =>
        post(tx, {
          cause,
          kind: "release",
          at: app.clock.now(),
          entries: [
            { account: accounts.suspense, amount, currency: "usd" },
            { account: accounts.artistPayable(artist.id), amount: -amount, currency: "usd" },
          ],
        }),
      );
    const remove = () => app.request("/api/me/delete", { headers, body: { password: testPassword } });
    await owe(`earned ${artist.id}`, 72_000);
    expect(await (await app.request("/api/me/deletion-obstacle", { headers })).json()).toEqual({
      obstacle: "unpaid_earnings",
    });
    expect((await remove()).status).toBe(409);
    await owe(`paid ${artist.id}`, -72_000);
    expect((await remove()).status).toBe(200);
  });

  it("returns the error code of an invalid token under /api", async () => {
    const response = await app.request("/api/me", { headers: { authorization: "Bearer made.up.token" } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "bad_jwt", requestId: expect.any(String) });
    expect(((await (await app.request("/api/me")).json()) as { code: string }).code).toBe("session_missing");
  });
});
