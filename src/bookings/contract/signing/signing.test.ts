import { describe, expect, test } from "vitest";
import { documentOf } from "#contracts/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, emailsFor, follow, guestOf, refunds, verifyMailbox } from "#test/harness/bookings.ts";
import { contractRow, evidenceEntries, sentContract, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { openDispute, paymentOf } from "#test/harness/disputes.ts";
import { testApp } from "#test/test-app.ts";
import { sealContracts } from "../document/sealing.ts";
import { sendContract, sendContracts } from "../sending.ts";

const app = closeAfterFile(await testApp());

/** Returns what the activity log lists under "contract", without the name of the show. */
async function contractLog(bookingId: string): Promise<string[]> {
  const { id } = await contractRow(app, bookingId);
  const rows = await app.database.db
    .selectFrom("activity")
    .select("message")
    .where("type", "=", "contract")
    .where("ref_id", "=", id)
    .orderBy("position")
    .execute();
  return rows.map(({ message }) => /^.+, \w+ \d+ \w+ \d{4}, .+: (.+)$/.exec(message)?.[1] ?? message);
}

describe("sendContracts", () => {
  test("sends the contract after a paid deposit, stores it with its fingerprint and mails both parties", async () => {
    const booking = await app.make.booking({ status: "deposit_paid", now: app.clock.now() });
    await sendContracts(app.services);
    await app.settle();
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
    const contract = await contractRow(app, booking.id);
    expect(contract).toMatchObject({ signed_status: "sent", template: "standard 7" });
    const file = await documentOf(app.database.db, contract.id);
    expect(file?.sha256.toString("hex")).toBe(contract.document_hash);
    expect(file?.bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect((await evidenceEntries(app, booking.id)).map(({ kind }) => kind)).toEqual(["sent"]);
    expect((await emailsFor(app, booking.id)).map(({ template }) => template)).toContain("contract_sent");
  });

  test("sends a contract once when the job runs again", async () => {
    const { booking } = await sentContract(app);
    await sendContracts(app.services);
    expect(await sendContract(app.services, booking.id)).toBe(false);
    expect((await evidenceEntries(app, booking.id)).length).toBe(1);
  });

  test("records a failed contract for a retry, and sends the others", async () => {
    const broken = await app.make.booking({ status: "deposit_paid", now: app.clock.now() });
    const sound = await app.make.booking({ status: "deposit_paid", now: app.clock.now() });
    await app.database.db
      .updateTable("bookings")
      .set({ policy: JSON.stringify({ broken: true }) })
      .where("id", "=", broken.id)
      .execute();
    await sendContracts(app.services);
    expect(await bookingRow(app, sound.id)).toMatchObject({ status: "contract_sent" });
    const contract = await contractRow(app, broken.id);
    expect(contract).toMatchObject({ signed_status: "draft", attempts: 1 });
    expect(contract.last_error).not.toBeNull();
    expect(contract.next_try_at?.getTime()).toBeGreaterThan(app.clock.now().getTime());
  });

  test("sends a delayed draft at its time", async () => {
    const booking = await app.make.booking({ status: "deposit_paid", now: app.clock.now() });
    const from = new Date(app.clock.now().getTime() + hourMs);
    await app.database.db
      .updateTable("contracts")
      .set({ send_from: from })
      .where("booking_id", "=", booking.id)
      .execute();
    await sendContracts(app.services);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
    app.clock.advance(hourMs);
    await sendContracts(app.services);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
  });
});

describe("openContract", () => {
  test("records no opening for a page that the server renders", async () => {
    const { booking, promoter } = await sentContract(app);
    const { status, body } = await browser(app).json("/api/contracts/signing/open", { key: promoter, record: false });
    expect([status, body]).toMatchObject([200, { can_sign: true, document: { text: { pages: expect.any(Number) } } }]);
    expect((await evidenceEntries(app, booking.id)).map(({ kind }) => kind)).toEqual(["sent"]);
  });

  test("limits wrong keys from one network, also without a record", async () => {
    await using limited = await testApp({ env: { RATE_LIMITS: "on" } });
    const guess = async () =>
      (await browser(limited).json("/api/contracts/signing/open", { key: "A".repeat(32), record: false })).status;
    const statuses: number[] = [];
    for (let turn = 0; turn < 61; turn++) statuses.push(await guess());
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([404]));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("signContract", () => {
  test("refuses a name with line breaks, text direction marks or no visible characters", async () => {
    const { promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(promoter);
    for (const name of ["Guest G\n\nEvidence: identity verified by passport", "Guest\u202e G", "\u200b\u200b\u200b"])
      expect((await guest.sign(promoter, page, { name })).status, JSON.stringify(name)).toBe(400);
    expect((await guest.decline(promoter, page, "\u200b".repeat(12))).status).toBe(400);
    expect((await guest.sign(promoter, page)).status).toBe(200);
  });

  test("sends a signed copy that was made after the cancellation without a balance to pay", async () => {
    const { booking, artist_token, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    for (const token of [artist_token, promoter]) await guest.openAndSign(token);
    const headers = await app.signIn(await app.make.user({ role: "admin" }));
    const body = { code: "other", expected_refund_cents: booking.deposit_cents };
    expect((await app.request(`/api/bookings/${booking.id}/cancel`, { headers, body })).status).toBe(200);
    await sealContracts(app.services);
    const copies = (await emailsFor(app, booking.id)).filter(({ template }) => template === "contract_signed");
    expect(copies).toHaveLength(2);
    for (const { text } of copies) expect(text).not.toContain("Balance");
  });

  test("accepts either party first, and signs the contract with both signatures over one document", async () => {
    const { booking, artist_token, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: first } = await guest.open(artist_token);
    expect(first).toMatchObject({ side: "artist", can_sign: true, booking_status: "contract_sent" });
    const { fee_cents: gross } = booking;
    const earnings = { gross_cents: gross, returned_cents: 0, commission_cents: gross / 10 };
    expect(first.earnings).toEqual({ ...earnings, net_cents: (gross * 9) / 10 });
    const signed = await guest.sign(artist_token, first, { name: "The Artist", drawing: "M1,1L20.5,30L600,200" });
    expect(signed.status, signed.body.message).toBe(200);
    expect(signed.body).toMatchObject({ status: "sent", can_sign: false });
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
    await app.settle();
    const reminder = await tokensOf(app, booking.id);
    expect(reminder.promoter).not.toBe(promoter);

    const { body: second } = await guest.open(promoter);
    expect(second).toMatchObject({ side: "promoter", can_sign: true });
    expect((await guest.sign(promoter, second)).body).toMatchObject({ status: "signed" });
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
    const entries = await evidenceEntries(app, booking.id);
    expect(entries.map(({ kind, side }) => `${kind} ${side}`)).toEqual([
      "sent null",
      "opened artist",
      "consented artist",
      "signed artist",
      "opened promoter",
      "consented promoter",
      "signed promoter",
    ]);
    expect(new Set(entries.map(({ document }) => document))).toEqual(new Set([second.document.sha256]));
    expect(await contractLog(booking.id)).toEqual([
      "the contract was sent for signature",
      "The Artist signed the contract",
      "Hannah Whitt signed the contract",
    ]);
    expect(entries.at(-1)?.details).toMatchObject({ name: "Hannah Whitt", method: "typed", via: "link" });
  });

  test("returns gone (410) for a used link and not found (404) for a guessed one", async () => {
    const { promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body } = await guest.open(promoter);
    await guest.sign(promoter, body);
    const again = await guest.open(promoter);
    expect([again.status, again.body.message]).toEqual([
      410,
      "This link has been used: you have signed this contract. Your copy stays with the booking.",
    ]);
    expect((await guest.sign(promoter, body)).status).toBe(410);
    expect((await guest.open("A".repeat(32))).status).toBe(404);
  });

  test("accepts the artist's account by the contract's id, and returns not found (404) to others, an admin and an unverified guest", async () => {
    const { booking, contractId: id, performer } = await sentContract(app);
    const artist = signingCalls(app, await app.signIn(performer.user));
    expect((await artist.open(id)).body).toMatchObject({ side: "artist", can_sign: true });
    for (const role of ["promoter", "artist", "admin"] as const) {
      const other = await app.make.user({ role });
      expect((await signingCalls(app, await app.signIn(other)).open(id)).status).toBe(404);
    }
    await app.database.db
      .updateTable("bookings")
      .set({ verified_key_hash: null })
      .where("id", "=", booking.id)
      .execute();
    const visitor = guestOf(app, booking.id);
    expect((await visitor.json("/api/contracts/signing/open", { key: id })).status).toBe(404);
  });

  test("accepts a guest in the browser that opened a mailbox link, and not in the one that sent the request", async () => {
    const { booking } = await sentContract(app);
    const sender = guestOf(app, booking.id);
    const guest = browser(app);
    await verifyMailbox(app, guest, booking.id);
    expect((await sender.json("/api/contracts/signing/open", { key: booking.id })).status).toBe(404);
    const { body } = await guest.json("/api/contracts/signing/open", { key: booking.id });
    expect(body).toMatchObject({ side: "promoter", can_sign: true });
    const { sha256 } = (body as unknown as { document: { sha256: string } }).document;
    const signed = await guest.json("/api/contracts/signing/sign", {
      key: booking.id,
      name: "Hannah Whitt",
      drawing: null,
      consent: true,
      documentHash: sha256,
    });
    expect(signed.status, JSON.stringify(signed.body)).toBe(200);
    expect((await evidenceEntries(app, booking.id)).at(-1)?.details).toMatchObject({ method: "typed", via: "mailbox" });
    // Once an account owns the booking, only its session opens the contract.
    const owner = await app.make.user({ role: "promoter" });
    await app.database.db
      .updateTable("bookings")
      .set({ promoter_user_id: owner.id })
      .where("id", "=", booking.id)
      .execute();
    expect((await guest.json("/api/contracts/signing/open", { key: booking.id })).status).toBe(404);
  });

  test("refuses another document, a missing consent, an empty name and an invalid drawing", async () => {
    const { promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(promoter);
    const other = { ...page, document: { ...page.document, sha256: "0".repeat(64) } };
    expect((await guest.sign(promoter, other)).status).toBe(409);
    for (const more of [
      { consent: false },
      { name: " " },
      { drawing: "<script>" },
      { drawing: `M0,0${"L1,1".repeat(250_000)}` },
      { drawing: "M0,0L601,10" },
    ]) {
      const refused = await guest.sign(promoter, page, more);
      expect([400, 413]).toContain(refused.status);
      expect(refused.body.message).toMatch(/[a-z]+ [a-z]+/);
    }
    expect((await guest.open(promoter)).body.can_sign).toBe(true);
  });

  test("stores a name in another script unchanged", async () => {
    const { booking, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(promoter);
    expect((await guest.sign(promoter, page, { name: "山田 太郎" })).status).toBe(200);
    expect((await evidenceEntries(app, booking.id)).at(-1)?.details).toMatchObject({ name: "山田 太郎" });
  });
});

describe("declineContract", () => {
  test("cancels the booking with a full refund when the artist declines, with the reason in the email", async () => {
    const { booking, artist_token } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(artist_token);
    const declined = await guest.decline(artist_token, page, "The date was a mistake.");
    expect(declined).toMatchObject({ status: 200, body: { declined: true, refund_cents: booking.deposit_cents } });
    expect(await bookingRow(app, booking.id)).toMatchObject({
      status: "canceled",
      canceled_by: "artist",
      cancel_code: "contract_declined",
      cancel_note: "The date was a mistake.",
    });
    expect(await contractRow(app, booking.id)).toMatchObject({ signed_status: "declined", declined_by: "artist" });
    expect((await contractLog(booking.id)).slice(1)).toEqual(["the artist declined the contract"]);
    expect((await refunds(app, booking.id)).map((one) => one.amount)).toEqual([booking.deposit_cents]);
    await follow(app);
    const email = (await emailsFor(app, booking.id)).find(({ template }) => template === "booking_canceled");
    expect(email?.text.replaceAll(/\s+/g, " ")).toContain("declined the contract, so your booking for");
    expect(email?.text).toContain("> The date was a mistake.");
    expect(email?.text).toContain(booking.number);
  });

  test("previews and refunds by the policy when the promoter declines after the artist signed", async () => {
    const { booking, promoter, artist_token } = await sentContract(app, {
      createdAt: new Date(app.clock.now().getTime() - 5 * dayMs),
    });
    const guest = signingCalls(app);
    await guest.openAndSign(artist_token);
    const { body: page } = await guest.open(promoter);
    expect(page.refund_if_declined).toBe(0);
    expect(page.earnings).toBe(null);
    expect((await guest.decline(promoter, page)).body).toMatchObject({ refund_cents: 0 });
    expect(await refunds(app, booking.id)).toEqual([]);
    const held = await app.database.db
      .selectFrom("ledger_entries")
      .select((eb) => eb.fn.sum<string>("amount").as("sum"))
      .where("account", "=", `held:${booking.id}`)
      .executeTakeFirstOrThrow();
    expect(Number(held.sum)).toBe(0);
  });

  test("refunds everything when the promoter declines before the artist signed", async () => {
    const { booking, promoter } = await sentContract(app, {
      createdAt: new Date(app.clock.now().getTime() - 5 * dayMs),
    });
    const guest = signingCalls(app);
    const { body: page } = await guest.open(promoter);
    expect(page).toMatchObject({ refund_if_declined: booking.deposit_cents, waiting_if_declined: 0 });
    await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref);
    expect((await guest.open(promoter)).body).toMatchObject({ waiting_if_declined: booking.deposit_cents });
    expect((await guest.decline(promoter, page)).body).toMatchObject({ refund_cents: booking.deposit_cents });
    await app.settle();
    const mail = (await emailsFor(app, booking.id)).find(
      ({ template, recipient }) => template === "booking_canceled" && recipient === booking.promoter_email,
    );
    expect(mail?.text).toContain("$");
  });

  test("refuses a later signature (410)", async () => {
    const { artist_token, promoter } = await sentContract(app);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(artist_token);
    const { body: other } = await guest.open(promoter);
    await guest.decline(artist_token, page);
    const late = await guest.sign(promoter, other);
    expect(late.status).toBe(410);
    expect(late.body.message).toContain("can no longer be signed");
    expect([(await guest.open(artist_token)).body.message, (await guest.open(promoter)).body.message]).toEqual([
      expect.stringMatching(/^You declined this contract on .* 20\d\d, .*, and the booking is canceled\./),
      expect.stringMatching(/^The artist declined this contract on .* 20\d\d, .*, and the booking is canceled\./),
    ]);
  });
});
