import { describe, expect, test } from "vitest";
import { publish } from "#platform/event-outbox.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  browser,
  emailsFor,
  follow,
  form,
  guestOf,
  linkTokenOf,
  peopleOf,
  press,
} from "#test/harness/bookings.ts";
import { contractRow, evidenceEntries, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sendContract, sendContracts } from "../contract/sending.ts";
import { attachRequests } from "../store.ts";

const app = closeAfterFile(await testApp());

const { artist, person } = peopleOf(() => app);
type Browser = ReturnType<typeof browser>;

const callsOn = (id: string, contractId: string): readonly (readonly [address: string, body?: object])[] => [
  [`/api/bookings/${id}`],
  [`/api/bookings/${id}/cancellation`],
  [`/api/bookings/${id}/documents`],
  [`/api/contracts/${contractId}/document`],
  [`/api/bookings/${id}/cancel`, { code: "plans_changed", note: "", expected_refund_cents: 37_500 }],
  [
    `/api/bookings/${id}/force-majeure`,
    { reason: "The venue burned down last night.", refund_cents: 0, expected_paid_cents: 37_500 },
  ],
  [`/api/bookings/${id}/complete`, {}],
  [`/api/bookings/${id}/no-show`, { note: "The artist did not appear at the venue." }],
  ["/api/functions/create-checkout", { bookingId: id, isDeposit: false }],
  [`/api/bookings/${id}/confirm-request`, { is_own: true }],
];

async function expectNoAccess(at: Browser, id: string) {
  const contract = await app.database.db
    .selectFrom("contracts")
    .select("id")
    .where("booking_id", "=", id)
    .executeTakeFirst();
  for (const [address, body] of callsOn(id, contract?.id ?? id)) {
    const { status } = await at.json(address, body);
    expect([401, 403, 404], `${address}: ${status}`).toContain(status);
    if (address !== `/api/bookings/${id}/confirm-request`) expect(status, address).toBe(404);
  }
}

describe("a booking that an account owns", () => {
  test("is not found for a browser with a key: the sender's, a signed-out one or a former guest's", async () => {
    const act = await artist({ baseRate: 150_000 });
    const promoter = await person("promoter");

    const stranger = browser(app);
    const sent = await stranger.requestBooking({ artistId: act.slug, clientEmail: promoter.user.email });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect(sent.body).toMatchObject({ needs_confirmation: true, can: { pay: null } });
    await expectNoAccess(stranger, id);
    // Includes the key that the request would have had without an account.
    await expectNoAccess(guestOf(app, id), id);

    const own = await promoter.at.json("/api/promoter/bookings");
    const listed = (own.body["items"] as { id: string; can: object }[]).find((one) => one.id === id);
    expect(listed?.can).toMatchObject({ pay: null, confirm_request: true });
    expect((await promoter.at.checkout({ id })).status).toBe(409);
    await follow(app);
    const email = (await emailsFor(app, id)).find(({ template }) => template === "request_received");
    expect(email?.text).toContain("Sign in to confirm the request");

    const confirmed = await promoter.at.json(`/api/bookings/${id}/confirm-request`, { is_own: true });
    expect(confirmed.body).toMatchObject({ needs_confirmation: false, can: { pay: "deposit" } });
    expect((await promoter.at.json(`/api/bookings/${id}/confirm-request`, { is_own: true })).status).toBe(409);
    const { body: checkout } = await promoter.at.checkout({ id });
    await press(app, checkout["checkout_url"], "pay");
    expect(await bookingRow(app, id)).toMatchObject({ promoter_user_id: promoter.user.id });
    expect((await bookingRow(app, id)).deposit_paid_at).not.toBeNull();
    await expectNoAccess(stranger, id);

    const signedOut = browser(app);
    for (const [name, value] of promoter.at.jar) if (name === "bookings") signedOut.jar.set(name, value);
    await expectNoAccess(signedOut, id);

    // The same calls reach the booking in the session of its account.
    const { id: contractId } = await app.database.db
      .selectFrom("contracts")
      .select("id")
      .where("booking_id", "=", id)
      .executeTakeFirstOrThrow();
    for (const [address, body] of callsOn(id, contractId))
      expect((await promoter.at.call(address, body)).status, address).not.toBe(404);
  });

  test("is canceled when its account denies the request", async () => {
    const act = await artist();
    const [promoter, other] = [await person("promoter"), await person("promoter")];
    const { body } = await browser(app).requestBooking({ artistId: act.slug, clientEmail: promoter.user.email });
    expect((await other.at.json(`/api/bookings/${body.id}/confirm-request`, { is_own: false })).status).toBe(404);
    const { status } = await promoter.at.json(`/api/bookings/${body.id}/confirm-request`, { is_own: false });
    expect(status).toBe(200);
    expect(await bookingRow(app, body.id)).toMatchObject({ status: "canceled", cancel_code: "not_requested" });
  });

  test("closes for the guest who sent it when an account with the verified address acquires it", async () => {
    const act = await artist();
    const guest = browser(app);
    const { body } = await guest.requestBooking({ artistId: act.slug, clientEmail: "taken-over@people.test" });
    expect((await guest.json(`/api/bookings/${body.id}`)).status).toBe(200);
    const owner = await person("promoter", { email: "taken-over@people.test" });
    await app.database.transaction((tx) => attachRequests(tx, owner.user.email));
    await expectNoAccess(guest, body.id);
    expect(await bookingRow(app, body.id)).toMatchObject({ access_key_hash: null, needs_confirmation: true });
  });
});

describe("a guest's booking", () => {
  test("remains a guest's when an artist verifies its address, and is assigned when that user becomes a promoter", async () => {
    const act = await artist({ baseRate: 150_000 });
    const email = "amy@people.test";
    const sender = browser(app);
    const { body } = await sender.requestBooking({ artistId: act.slug, clientEmail: email });
    const { body: checkout } = await sender.checkout(body);
    await press(app, checkout["checkout_url"], "pay");
    const link = linkTokenOf(app, body.id);
    const { user, at } = await person("artist", { email });
    const verified = { userId: user.id, email };
    await app.database.transaction((tx) => publish(tx, "user.email_verified", verified));
    await follow(app);
    expect(await bookingRow(app, body.id)).toMatchObject({ promoter_user_id: null, status: "deposit_paid" });
    expect((await sender.json(`/api/bookings/${body.id}`)).status).toBe(200);
    expect((await at.json(`/api/bookings/${body.id}/open`, { link })).body).toMatchObject({ can: { cancel: true } });

    const lastLink = async () => {
      await sender.json(`/api/bookings/${body.id}/send-link`, {});
      const last = (await emailsFor(app, body.id)).findLast(({ template }) => template === "booking_link");
      const text = last?.text ?? "";
      return { text, address: new URL(/https?:\/\/\S+\/bookings?\/\S+/.exec(text)?.[0] ?? "") };
    };
    const sent = (await lastLink()).address.searchParams.get("link");
    const opened = await browser(app).json(`/api/bookings/${body.id}/open`, { link: sent });
    expect(opened.body).toMatchObject({ viewer: "guest", can: { cancel: true } });

    const admin = await person("admin");
    expect((await admin.at.json(`/api/admin/users/${user.id}/role`, { role: "promoter" })).status).toBe(200);
    await follow(app);
    expect(await bookingRow(app, body.id)).toMatchObject({ promoter_user_id: user.id });
    const { text, address } = await lastLink();
    expect(address.pathname).toBe(`/promoter/bookings/${body.id}`);
    expect(text).toContain("It opens after you sign in to your account.");
    expect(text).not.toMatch(/days|Anyone/);
    expect((await at.json(`/api/bookings/${body.id}`)).body).toMatchObject({ viewer: "promoter", has_account: true });
  });

  test("can be read and paid by the browser that sent it, and canceled only where the mailbox was verified", async () => {
    const act = await artist({ baseRate: 150_000 });
    const sender = browser(app);
    const { body } = await sender.requestBooking({ artistId: act.slug });
    const { body: page } = await sender.json(`/api/bookings/${body.id}`);
    expect(page).toMatchObject({ viewer: "guest", mailbox_unverified: true, can: { cancel: false, pay: "deposit" } });
    const { body: checkout } = await sender.checkout(body);
    await press(app, checkout["checkout_url"], "pay");
    const cancel = { code: "plans_changed", note: "", expected_refund_cents: 37_500 };
    expect((await sender.json(`/api/bookings/${body.id}/cancel`, cancel)).status).toBe(403);

    const owner = browser(app);
    const link = linkTokenOf(app, body.id);
    const opened = await owner.json(`/api/bookings/${body.id}/open`, { link });
    expect(opened.status).toBe(200);
    // The browser of the sender keeps what it had, and gains nothing.
    expect((await sender.json(`/api/bookings/${body.id}`)).body).toMatchObject({
      mailbox_unverified: true,
      can: { cancel: false },
    });
    expect((await sender.json(`/api/bookings/${body.id}/cancel`, cancel)).status).toBe(403);
    expect((await owner.json(`/api/bookings/${body.id}`)).body).toMatchObject({ mailbox_unverified: false });
    expect((await owner.json(`/api/bookings/${body.id}/cancel`, cancel)).body).toMatchObject({ status: "canceled" });
  });

  test("opens in a second browser with a verified mailbox, and remains open in the first", async () => {
    const act = await artist();
    const { body } = await browser(app).requestBooking({ artistId: act.slug, eventDate: form(app, {}).eventDate });
    const link = linkTokenOf(app, body.id);
    const [phone, laptop] = [browser(app), browser(app)];
    for (const one of [phone, laptop]) await one.json(`/api/bookings/${body.id}/open`, { link });
    for (const one of [phone, laptop]) expect((await one.json(`/api/bookings/${body.id}`)).status).toBe(200);
  });
});

describe("a guest's mistyped address", () => {
  const correct = (at: Browser, id: string, email: string) => at.json(`/api/bookings/${id}/correct-email`, { email });
  const linksTo = async (id: string, recipient: string) => {
    const texts = (await emailsFor(app, id)).filter((one) => one.recipient === recipient).map(({ text }) => text);
    const last = (pattern: RegExp) => texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).at(-1) ?? "";
    return { link: last(/\/booking\/[\w-]+\?link=([\w.-]+)/), key: last(/\/sign\/([\w-]+)/) };
  };
  async function paid(clientEmail: string, act = artist(), isSent = true) {
    const sender = browser(app);
    const { body } = await sender.requestBooking({ artistId: (await act).slug, clientEmail });
    await press(app, (await sender.checkout(body)).body["checkout_url"], "pay");
    await follow(app);
    if (isSent) await sendContracts(app.services);
    await app.settle();
    return { sender, id: body.id };
  }

  test("is corrected by the browser that sent the request, which ends all links of the former address", async () => {
    const { sender, id } = await paid("tim@gmial.test");
    const former = await linksTo(id, "tim@gmial.test");
    const signing = signingCalls(app);
    expect((await correct(browser(app), id, "thief@gmail.test")).status).toBe(404);
    expect((await correct(sender, id, "tim@gmail")).status).toBe(400);
    expect((await correct(sender, id, "tim@gmail.test")).status).toBe(200);
    expect((await sender.json(`/api/bookings/${id}`)).body).toMatchObject({
      promoter_email: "tim@gmail.test",
      can_correct_email: true,
    });
    await app.settle();
    expect((await browser(app).json(`/api/bookings/${id}/open`, { link: former.link })).status).toBe(404);
    expect((await signing.open(former.key)).status).toBe(410);

    const { link, key } = await linksTo(id, "tim@gmail.test");
    // The document has the former address, so the page and the evidence state the correction.
    const { body: page } = await signing.open(key);
    expect([JSON.stringify(page), page]).toEqual([
      expect.stringContaining("tim@gmial.test"),
      expect.objectContaining({ corrected_email: "tim@gmail.test" }),
    ]);
    expect(await evidenceEntries(app, id)).toContainEqual(
      expect.objectContaining({ kind: "email_corrected", details: { email: "tim@gmail.test" } }),
    );
    expect((await signing.openAndSign(key)).status).toBe(200);
    // The signature by the emailed link proves the mailbox.
    expect((await sender.json(`/api/bookings/${id}`)).body).toMatchObject({ can_correct_email: false });
    expect((await correct(sender, id, "thief@gmail.test")).status).toBe(409);
    const owner = browser(app);
    expect((await owner.json(`/api/bookings/${id}/open`, { link })).body).toMatchObject({ can: { cancel: true } });
    expect((await sender.json(`/api/bookings/${id}`)).body).toMatchObject({ can_correct_email: false });
    expect((await correct(sender, id, "thief@gmail.test")).status).toBe(409);
    expect(await bookingRow(app, id)).toMatchObject({ promoter_email: "tim@gmail.test" });
  });

  test("is in a contract that is drawn during its correction, with the legal name that the artist has entered since", async () => {
    const { user } = await person("artist");
    const act = await artist({ userId: user.id });
    const { sender, id } = await paid("toni@gmial.test", Promise.resolve(act), false);
    expect(await contractRow(app, id)).toMatchObject({ terms: { promoter: { email: "toni@gmial.test" } } });
    let opened = 0;
    const transaction: typeof app.database.transaction = async (write) => {
      if (++opened === 2) expect((await correct(sender, id, "toni@gmail.test")).status).toBe(200);
      return app.database.transaction(write);
    };
    expect(await sendContract({ ...app.services, database: { ...app.database, transaction } }, id)).toBe(false);
    await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { legalName: "Dreams GmbH" }, user.id));
    await sendContracts(app.services);
    const parties = { promoter: { email: "toni@gmail.test" }, artist: { legalName: "Dreams GmbH" } };
    expect(await contractRow(app, id)).toMatchObject({ signed_status: "sent", terms: parties });
    await app.settle();
    const { key } = await linksTo(id, "toni@gmail.test");
    const { body: page } = await signingCalls(app).open(key);
    const text = JSON.stringify(page);
    expect(["toni@gmail.test", "Dreams GmbH", "gmial"].map((part) => text.includes(part))).toEqual([true, true, false]);
  });

  test("is corrected to the address of an account, which gets an unpaid booking to confirm, and a paid one by its link", async () => {
    const account = await person("promoter");
    const { sender, id } = await paid("pro@exmaple.test");
    const unpaid = await sender.requestBooking({ artistId: (await artist()).slug, clientEmail: "pro@exmaple.test" });
    for (const one of [id, unpaid.body.id]) expect((await correct(sender, one, account.user.email)).status).toBe(200);
    expect((await sender.json(`/api/bookings/${unpaid.body.id}`)).status).toBe(404);
    await app.settle();
    const { attachRequestsTo } = await import("../handlers.ts");
    await app.database.transaction((tx) => attachRequestsTo(tx, { userId: account.user.id }));
    expect((await account.at.json(`/api/bookings/${id}`)).status).toBe(404);
    expect((await sender.json(`/api/bookings/${id}`)).status).toBe(200);
    const { link } = await linksTo(id, account.user.email);
    expect((await account.at.json(`/api/bookings/${id}/open`, { link })).status).toBe(200);
    expect((await account.at.json(`/api/bookings/${id}`)).body).toMatchObject({
      viewer: "promoter",
      can: { sign: true },
    });
    expect((await sender.json(`/api/bookings/${id}`)).status).toBe(404);
    // Nobody proved that the account sent the unpaid one.
    expect((await account.at.json(`/api/bookings/${unpaid.body.id}`)).body).toMatchObject({
      can: { confirm_request: true, pay: null },
    });
  });

  test("cannot be used and corrected at the same moment", async () => {
    for (const attempt of ["a", "b", "c"]) {
      const { sender, id } = await paid(`${attempt}@gmial.test`);
      const former = await linksTo(id, `${attempt}@gmial.test`);
      const signing = signingCalls(app);
      const { body: page } = await signing.open(former.key);
      const [corrected] = await Promise.all([
        correct(sender, id, `${attempt}@gmail.test`),
        ...Array.from({ length: 4 }, () => browser(app).json(`/api/bookings/${id}/open`, { link: former.link })),
        ...Array.from({ length: 4 }, () => signing.sign(former.key, page)),
      ]);
      const { email_proven_at: opened, email_corrections: corrections } = await bookingRow(app, id);
      const signed = (await evidenceEntries(app, id)).filter(({ kind }) => kind === "signed").length;
      expect([opened !== null || signed > 0, corrections]).toEqual(corrected.status === 200 ? [false, 1] : [true, 0]);
    }
  });

  test("is corrected by an admin too, at most three times", async () => {
    const { id } = await paid("tina@exmaple.test");
    const { at, user } = await person("admin");
    for (const name of ["a", "b", "c"]) expect((await correct(at, id, `${name}@example.test`)).status).toBe(200);
    expect((await correct(at, id, "d@example.test")).status).toBe(409);
    const log = app.database.db.selectFrom("activity").select(["actor_id", "meta"]).where("ref_id", "=", id);
    const [first] = await log.where("message", "like", "The email address%").orderBy("created_at").execute();
    expect(first).toMatchObject({ actor_id: user.id, meta: { by: "admin", from: "ti…@exmaple.test" } });
  });
});
