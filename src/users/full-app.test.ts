import { describe, expect, it } from "vitest";
import { makeSignerLink } from "#contracts/agreements-for-bookings.ts";
import { accounts, post } from "#ledger/index.ts";
import { sessionOf, setUpAccounts, testPassword } from "#test/harness/accounts.ts";
import { contractRow } from "#test/harness/contracts.ts";
import { decideDispute, openDispute, paymentOf } from "#test/harness/disputes.ts";
import { findDeletionObstacle } from "./account/delete-account.ts";

const app = setUpAccounts({ DEMO: "1" });

type Exported = { tables: Record<string, Record<string, string>[]> };
type Headers = Awaited<ReturnType<typeof app.signIn>>;
const artistRow = (id: string) =>
  app.db.selectFrom("artists").select(["user_id", "is_active"]).where("id", "=", id).executeTakeFirstOrThrow();
const deleteMe = async (headers: Headers) =>
  (await app.send("/api/me/delete", { headers, body: { password: testPassword } })).status;
const obstacleOf = async (headers: Headers) =>
  (await app.json("/api/me/deletion-obstacle", { headers })).body["obstacle"];

/** Returns the token of the newest link in the demo's outbox. */
async function tokenTo(email: string): Promise<string> {
  const outbox = (await (await app.send(`/api/dev/outbox?to=${email}`)).json()) as { text: string }[];
  return /token_hash=([\w-]+)/.exec(outbox[0]?.text ?? "")?.[1] ?? "";
}

describe("whole app", () => {
  it("assigns the artist of a granted claim, and retires it without its blocked times when the account is deleted", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artist = await app.make.artist({ name, userId: null });
    const person = await app.make.user({ role: "artist", name });
    const admin = await app.make.user({ role: "admin" });
    const [headers, adminHeaders] = [await app.signIn(person), await app.signIn(admin)];
    const evidence = "We play at the Waterworks every May.";
    const { body } = await app.json("/api/me/claims", { headers, body: { artistId: artist.id, evidence } });
    await app.send(`/api/admin/claims/${body["id"]}`, { headers: adminHeaders, body: { granted: true } });
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: person.id, is_active: true });
    const blocked = { starts_at: "2099-03-13T06:00", ends_at: "2099-03-14T06:00", note: "At the dentist" };
    expect((await app.send("/api/artist/blocked-times", { headers, body: blocked })).status).toBe(201);
    expect(await deleteMe(headers)).toBe(200);
    await app.settle();
    expect(await artistRow(artist.id)).toEqual({ user_id: null, is_active: false });
    const times = app.db.selectFrom("date_reservations").select("note").where("artist_id", "=", artist.id);
    expect(await times.execute()).toEqual([]);
    expect((await app.send("/api/me", { headers })).status).toBe(401);
  });

  it("puts the email of a sign-up into the demo's outbox with a link that opens the account", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const { auth } = app.client({ cookieMode: true });
    await auth.signUp({ email, password: testPassword, options: { data: { name: "Otto", role: "artist" } } });
    sessionOf(await auth.verifyOtp({ token_hash: await tokenTo(email), type: "signup" }));
    await app.settle();
    const headers = await app.signIn({ email });
    const { body } = await app.json("/api/me", { headers });
    expect(body).toMatchObject({ name: "Otto", role: "artist", emailVerified: true });
  });

  it("sends the emails of a booking to the new address of its account, ends signing links to the former, and follows an undo", async () => {
    const promoter = await app.make.user({ role: "promoter" });
    const headers = await app.signIn(promoter);
    const booking = await app.make.booking({
      promoterUserId: promoter.id,
      promoterEmail: promoter.email.toUpperCase(),
    });
    const others = await app.make.booking({ promoterUserId: promoter.id, promoterEmail: "venue@people.test" });
    const addressOf = async ({ id }: { id: string }) =>
      (await app.db.selectFrom("bookings").select("promoter_email").where("id", "=", id).executeTakeFirstOrThrow())
        .promoter_email;
    const toSign = await app.make.booking({ promoterUserId: promoter.id, status: "contract_sent" });
    const { id: contractId } = await contractRow(app, toSign.id);
    const [now, expiresAt] = [app.clock.now(), toSign.starts_at];
    const link = await app.database.transaction((tx) =>
      makeSignerLink(tx, { contractId, side: "promoter", now, expiresAt }),
    );
    const openLink = async () => (await app.send("/api/contracts/signing/open", { body: { key: link } })).status;
    expect(await openLink()).toBe(200);
    const changed = `new-${promoter.email}`;
    await app.send("/auth/v1/user", { method: "PUT", headers, body: { email: changed } });
    for (const to of [changed, promoter.email])
      await app.send("/auth/v1/verify", { body: { type: "email_change", token_hash: await tokenTo(to) } });
    await app.settle();
    expect([await addressOf(booking), await addressOf(others)]).toEqual([changed, "venue@people.test"]);
    expect(await openLink()).toBe(410);

    const newHeaders = await app.signIn({ email: changed });
    const password = { password: testPassword };
    const { body } = await app.json<Exported>("/api/me/export", { headers: newHeaders, body: password });
    const { messages } = body.tables;
    expect(new Set(messages?.map(({ recipient }) => recipient))).toEqual(new Set([changed, promoter.email]));

    await app.send("/api/account-changes/undo", { body: { token: await tokenTo(promoter.email) } });
    await app.settle();
    expect(await addressOf(booking)).toBe(promoter.email);
  });

  it("deletes what was sent to a former address with its account, unless another account has the address now", async () => {
    const { db } = app;
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
    expect(await deleteMe(await app.signIn(gone))).toBe(200);
    expect(await app.messagesTo(former)).toEqual([]);
    expect(await app.messagesTo(other.email)).toMatchObject([{ template: "contract_sent" }]);
    const row = db.selectFrom("users").select("former_emails").where("id", "=", gone.id);
    expect(await row.executeTakeFirst()).toEqual({ former_emails: [] });
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
      expect(await obstacleOf(headers)).toBe("open_dispute");
      expect(await deleteMe(headers)).toBe(409);
    }
    await decideDispute(app, dispute, "win");
    const obstacle = () => findDeletionObstacle(app.db, promoter.id, app.clock.now());
    expect(await obstacle()).toBeNull();
    const paid = await paymentOf(app, id, "deposit");
    const refused = { amount: 100, currency: "usd", reason: "refused", cause_key: `refused ${id}` };
    await app.db
      .insertInto("refunds")
      .values({ ...refused, status: "failed", payment_id: paid.id, provider_payment: paid.ref })
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
    await owe(`earned ${artist.id}`, 72_000);
    expect(await obstacleOf(headers)).toBe("unpaid_earnings");
    expect(await deleteMe(headers)).toBe(409);
    await owe(`paid ${artist.id}`, -72_000);
    expect(await deleteMe(headers)).toBe(200);
  });

  it("returns the error code of an invalid token under /api", async () => {
    expect(await app.json("/api/me", { token: "made.up.token" })).toMatchObject({
      status: 401,
      body: { code: "bad_jwt", requestId: expect.any(String) },
    });
    expect((await app.json("/api/me")).body.code).toBe("session_missing");
  });
});
