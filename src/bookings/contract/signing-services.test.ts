/** What only an outside service can do wrong: outages, lost answers, notices in any order, other files, late signatures. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, evidenceOf, findContract, issueContract, outgoing } from "#contracts/index.ts";
import { bookingRow, emailsFor, peopleOf, refunds } from "#test/harness/bookings.ts";
import { attestOnPaper, signingCalls } from "#test/harness/contracts.ts";
import { contractRow, services, type Signing, signingWay } from "#test/harness/esign/suite.ts";
import type { ServiceDouble } from "#test/harness/esign/double.ts";
import { cancelBooking, previewCancellation } from "../lifecycle/cancellation.ts";
import { lockBooking } from "../store.ts";
import { watchContracts } from "./deadlines.ts";
import { lookAtProviders } from "./provider-jobs.ts";
import { serviceTime } from "./provider-sending.ts";
import { sendContracts } from "./sending.ts";

describe.each(services)("%s", (way) => {
  let at: Signing;
  let double: ServiceDouble;
  beforeAll(async () => {
    at = await signingWay(way);
    if (!at.double) throw new Error("there is no double");
    double = at.double;
  });
  afterAll(() => at.close());

  const entries = async (bookingId: string) => {
    const chain = await evidenceOf(at.app.database.db, (await contractRow(at.app, bookingId)).id);
    if ("fault" in chain) throw new Error(chain.fault);
    return chain.entries;
  };
  const acts = async (bookingId: string) =>
    (await entries(bookingId)).map(({ kind, side }) => (side ? `${kind} ${side}` : kind));
  const alarms = async (bookingId: string) =>
    (
      await at.app.database.db
        .selectFrom("messages")
        .select("text")
        .where("template", "=", "money_alarm")
        .where("ref_id", "=", bookingId)
        .execute()
    ).map(({ text }) => text);
  const unsent = async () => {
    const performer = await peopleOf(() => at.app).person("artist");
    const artist = await peopleOf(() => at.app).artist({ userId: performer.user.id });
    return at.app.make.booking({ artistId: artist.id, status: "deposit_paid", now: at.app.clock.now() });
  };
  const envelopesOf = async (bookingId: string) => {
    const { id } = await contractRow(at.app, bookingId);
    return double.envelopes.filter(({ externalId }) => externalId.startsWith(id));
  };
  const later = (seconds: number) => at.app.clock.advance(seconds * 1_000);

  describe("sending", () => {
    test.each(["503", "down", "lost"] as const)(
      "an outage (%s) is tried again, and nothing is sent twice",
      async (how) => {
        const booking = await unsent();
        double.fail(how);
        await sendContracts(at.app.services);
        expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "deposit_paid" });
        const failed = await contractRow(at.app, booking.id);
        expect(failed).toMatchObject({ signed_status: "draft", attempts: 1 });
        expect(failed.last_error).toMatch(/could not be reached|is not available/);
        await sendContracts(at.app.services);
        expect(await contractRow(at.app, booking.id)).toMatchObject({ attempts: 1 });
        later(61);
        await sendContracts(at.app.services);
        expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
        expect(await envelopesOf(booking.id)).toHaveLength(1);
        const sent = await contractRow(at.app, booking.id);
        const agreement = await documentOf(at.app.database.db, sent.id, ["agreement"]);
        const [envelope] = await envelopesOf(booking.id);
        expect(envelope?.documents[0]?.equals(agreement?.bytes ?? Buffer.alloc(0))).toBe(true);
      },
    );

    test("after the third failure the admins read of it, once, and the integrations tab shows it", async () => {
      const admin = await at.app.make.user({ role: "admin" });
      const booking = await unsent();
      double.fail("503", 4);
      for (let attempt = 0; attempt < 4; attempt++) {
        await sendContracts(at.app.services);
        later(200);
      }
      const told = await alarms(booking.id);
      expect(told.length).toBeGreaterThan(0);
      expect(new Set(told).size).toBe(1);
      expect(told[0]).toContain("could not be sent 3 times");
      const state = await at.app.request("/api/admin/webhooks/esign", { headers: await at.app.signIn(admin) });
      expect(await state.json()).toMatchObject({
        unsent: { count: 1, last_error: expect.stringContaining("not available") },
      });
      await sendContracts(at.app.services);
      expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
    });

    test("two processes send at the same moment: one does", async () => {
      const booking = await unsent();
      await Promise.all([sendContracts(at.app.services), sendContracts(at.app.services)]);
      expect(await envelopesOf(booking.id)).toHaveLength(1);
      expect((await acts(booking.id)).filter((act) => act === "sent")).toHaveLength(1);
    });

    test("canceled while its answer was lost: what is at the service is withdrawn", async () => {
      const booking = await unsent();
      double.fail("lost");
      await sendContracts(at.app.services);
      await cancelNow(at, booking.id);
      await at.settle();
      expect((await envelopesOf(booking.id)).map(({ status }) => status)).toEqual(["voided"]);
    });

    test("canceled while it may still be on its way: looked for until that is over", async () => {
      const booking = await unsent();
      double.fail("down");
      await sendContracts(at.app.services);
      await cancelNow(at, booking.id);
      await at.settle();
      expect((await contractRow(at.app, booking.id)).provider_canceled_at).toBeNull();
      later(300);
      await at.settle();
      expect((await contractRow(at.app, booking.id)).provider_canceled_at).not.toBeNull();
    });

    test("one that cannot be withdrawn is told to the admins, once", async () => {
      await at.app.make.user({ role: "admin" });
      const { booking } = await at.sent();
      const known = await at.refOf(booking.id);
      const { db } = at.app.database;
      const refer = (ref: string) =>
        db.updateTable("contracts").set({ provider_ref: ref }).where("booking_id", "=", booking.id).execute();
      await refer("999999");
      await cancelNow(at, booking.id);
      for (let attempt = 0; attempt < 2; attempt++) {
        await at.settle();
        later(200);
      }
      const told = (await alarms(booking.id)).filter((text) => text.includes("can still be signed"));
      expect(new Set(told).size).toBe(1);
      await refer(known);
      await at.settle();
      expect((await contractRow(at.app, booking.id)).provider_canceled_at).not.toBeNull();
    });

    test("what a service was asked for is not issued as signed on this server", async () => {
      const booking = await unsent();
      double.fail("lost");
      await sendContracts(at.app.services);
      const asked = await findContract(at.app.database.db, booking.id);
      const drawn = asked && (await outgoing.claimedAgreement(at.app.database.db, asked));
      if (!drawn) throw new Error("nothing was asked for");
      const issue = { bookingId: booking.id, drawn, startsAt: at.app.clock.now(), now: at.app.clock.now() };
      const sent = { provider: "embedded", ref: null };
      expect(await at.app.database.transaction((tx) => issueContract(tx, { ...issue, sent }))).toBe(false);
      later(200);
      await sendContracts(at.app.services);
      expect(await contractRow(at.app, booking.id)).toMatchObject({ signed_status: "sent", provider: way });
      // Another process that was slower finds it issued, and leaves it there.
      const ref = await at.refOf(booking.id);
      await at.app.database.transaction((tx) => outgoing.withdrawSent(tx, booking.id, ref, at.app.clock.now()));
      expect((await contractRow(at.app, booking.id)).provider_cancel_from).toBeNull();
    });

    test("what is looked for at the service, and until when it can be signed, follow the real clock", async () => {
      const aDay = 86_400_000;
      const { clock } = at.app.services;
      const realClock = { now: () => new Date(clock.now().getTime() - 40 * aDay) };
      expect(serviceTime({ clock, realClock }, new Date("2027-03-01T00:00:00Z")).toISOString()).toMatch(/^2027-01-2/);
    });
  });

  describe("notices", () => {
    test("100 times in any order, stale and fresh: the same end", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      const notices = [double.webhook(ref, at.app.clock.now())];
      double.sign(ref, "artist");
      later(1);
      notices.push(double.webhook(ref, at.app.clock.now()));
      double.sign(ref, "promoter");
      later(1);
      notices.push(double.webhook(ref, at.app.clock.now()));
      for (let count = 0; count < 100; count++) {
        const notice = notices[(count * 7 + 2) % notices.length];
        if (notice) expect((await at.deliver(notice)).status).toBe(200);
        if (count % 10 === 0) await at.settle();
      }
      await at.settle();
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
      expect((await acts(sent.booking.id)).filter((act) => act.startsWith("signed"))).toHaveLength(2);
      const stored = await at.app.database.db.selectFrom("esign_events").select("id").where("ref", "=", ref).execute();
      expect(stored).toHaveLength(3);
    });

    test("none at all: the state is looked at every ten minutes", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      double.sign(ref, "promoter");
      double.sign(ref, "artist");
      await lookAtProviders(at.app.services);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
      later(601);
      await lookAtProviders(at.app.services);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    });

    test("nothing can be heard for an hour: the admins are told, once", async () => {
      await at.app.make.user({ role: "admin" });
      const sent = await at.sent();
      const { db } = at.app.database;
      const change = (fields: { provider_ref?: string; provider_canceled_at?: Date; provider_cancel_from?: Date }) =>
        db.updateTable("contracts").set(fields).where("booking_id", "=", sent.booking.id).execute();
      await change({ provider_ref: "999999" });
      later(601);
      await lookAtProviders(at.app.services);
      expect(await alarms(sent.booking.id)).toEqual([]);
      for (let count = 0; count < 2; count++) {
        later(3_601);
        await lookAtProviders(at.app.services);
      }
      const told = await alarms(sent.booking.id);
      expect(new Set(told).size).toBe(1);
      expect(told[0]).toContain("could not be asked about a contract for an hour");
      await change({ provider_cancel_from: at.app.clock.now(), provider_canceled_at: at.app.clock.now() });
    });

    test("one that cannot be answered is tried again, and in the end waits for a person", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      double.sign(ref, "artist");
      await at.deliver(double.webhook(ref, at.app.clock.now()));
      double.fail("down", 8, "any");
      const event = () =>
        at.app.database.db.selectFrom("esign_events").selectAll().where("ref", "=", ref).executeTakeFirstOrThrow();
      for (let attempt = 1; attempt <= 8; attempt++) {
        await at.settle();
        expect(await event()).toMatchObject({ attempts: attempt, processed_at: null });
        later(2_000);
      }
      expect((await event()).dead_at).not.toBeNull();
      const admin = await at.app.signIn(await at.app.make.user({ role: "admin" }));
      const state = (await (await at.app.request("/api/admin/webhooks/esign", { headers: admin })).json()) as {
        deliveries: { state: string; error: string }[];
      };
      expect(state.deliveries[0]).toMatchObject({
        state: "failed",
        error: expect.stringContaining("could not be reached"),
      });
      await lookAtProviders(at.app.services);
      expect(await acts(sent.booking.id)).toEqual(["sent", "signed artist"]);
    });

    test("about a contract of somebody else: noted, in words, and nothing happens", async () => {
      double.envelopes.push({
        ref: way === "docuseal" ? "99" : "an-envelope-of-others",
        externalId: "theirs",
        status: "completed",
        parties: [],
        documents: [],
        forged: null,
      });
      const ref = double.envelopes.at(-1)?.ref ?? "";
      await at.deliver(double.webhook(ref, at.app.clock.now()));
      await at.settle();
      const [event] = await at.app.database.db.selectFrom("esign_events").selectAll().where("ref", "=", ref).execute();
      expect(event).toMatchObject({ last_error: "No contract of this installation is called so." });
      expect(event?.processed_at).not.toBeNull();
    });
  });

  describe("what the service says and what was sent", () => {
    test("a signed file with another text is an alarm, told once, and no signature", async () => {
      const sent = await at.sent();
      const other = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      const foreign = double.envelopes.find((one) => one.ref === ref);
      const otherRef = await at.refOf(other.booking.id);
      const admin = await at.app.make.user({ role: "admin" });
      if (foreign) foreign.forged = double.envelopes.find((one) => one.ref === otherRef)?.documents[0] ?? null;
      double.sign(ref, "artist");
      await at.hear(sent.booking.id);
      double.sign(ref, "promoter");
      for (let count = 0; count < 3; count++) {
        later(1);
        await at.hear(sent.booking.id);
      }
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
      expect(await contractRow(at.app, sent.booking.id)).toMatchObject({
        signed_status: "sent",
        provider_alarm: expect.stringContaining("page 1 of the signed file is not that page of the agreement"),
      });
      expect(await acts(sent.booking.id)).toEqual(["sent", "signed artist", "reported"]);
      expect(await alarms(sent.booking.id)).toContainEqual(expect.stringContaining("Nothing was signed by it"));
      const state = await at.app.request("/api/admin/webhooks/esign", { headers: await at.app.signIn(admin) });
      expect(await state.json()).toMatchObject({ alarms: [{ booking_id: sent.booking.id }] });
      if (foreign) foreign.forged = null;
      later(1);
      await at.hear(sent.booking.id);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    });

    test("an envelope that names another agreement signs nothing", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      const envelope = double.envelopes.find((one) => one.ref === ref);
      if (!envelope) throw new Error("nothing was sent");
      envelope.externalId = envelope.externalId.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
      for (const party of envelope.parties) party.externalId = `${envelope.externalId}:${party.side}`;
      double.sign(ref, "artist");
      await at.hear(sent.booking.id);
      expect(await acts(sent.booking.id)).toEqual(["sent", "reported"]);
      expect((await contractRow(at.app, sent.booking.id)).provider_alarm).toContain("another document");
    });
  });

  test("canceled after both had signed there: kept as evidence, void, and the booking stays canceled", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
    await cancelNow(at, sent.booking.id);
    await at.settle();
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "canceled" });
    expect(await contractRow(at.app, sent.booking.id)).toMatchObject({ signed_status: "sent" });
    expect(await acts(sent.booking.id)).toEqual(["sent", "voided", "reported promoter", "reported artist"]);
  });

  test("marked as signed first: what the service tells later is appended as evidence", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    const { id } = await contractRow(at.app, sent.booking.id);
    const admin = await at.app.make.user({ role: "admin" });
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
    await at.app.database.transaction((tx) =>
      attestOnPaper(tx, at.app.services, { bookingId: sent.booking.id, contractId: id, adminId: admin.id }),
    );
    await at.hear(sent.booking.id);
    later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    expect(await acts(sent.booking.id)).toEqual([
      "sent",
      "attested promoter",
      "attested artist",
      "reported promoter",
      "reported artist",
    ]);
  });

  test("run out at the service: the booking ends by the policy", async () => {
    const sent = await at.sent();
    await at.sign(sent, "promoter");
    double.expire(await at.refOf(sent.booking.id));
    later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_expired",
    });
  });

  test("signed there before the time was over, and heard of only then: it counts", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
    const past = at.app.clock.now();
    later(60);
    await at.app.database.db
      .updateTable("contracts")
      .set({ expires_at: past, extended_at: past })
      .where("booking_id", "=", sent.booking.id)
      .execute();
    double.fail("down", 1, "any");
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
  });

  test("declined with a reason that cannot be stored as it is: cleaned, and the booking ends", async () => {
    const sent = await at.sent();
    double.decline(await at.refOf(sent.booking.id), "artist", `\0${"a".repeat(998)}😀 and more`);
    later(6);
    // Whoever opens the page brings the answer here, without waiting for a notice.
    expect((await signingCalls(at.app).open(sent.promoter)).status).toBe(200);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_declined",
    });
    const { decline_reason: reason } = await contractRow(at.app, sent.booking.id);
    expect(reason).toMatch(/^a{998}/);
    expect(await acts(sent.booking.id)).toEqual(["sent", "declined artist"]);
  });

  test("an answer that cannot be taken keeps neither the page closed nor the event waiting", async () => {
    const sent = await at.sent();
    const { id } = await contractRow(at.app, sent.booking.id);
    const agreement = () => at.app.database.db.deleteFrom("contract_documents").where("contract_id", "=", id).execute();
    const ref = await at.refOf(sent.booking.id);
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
    await agreement();
    later(6);
    expect((await signingCalls(at.app).open(sent.promoter)).status).not.toBe(500);
    const now = at.app.clock.now();
    await at.app.database.db
      .updateTable("contracts")
      .set({ expires_at: now, extended_at: now })
      .where("id", "=", id)
      .execute();
    later(6);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await at.app.database.db
      .updateTable("bookings")
      .set({ starts_at: at.app.clock.now() })
      .where("id", "=", sent.booking.id)
      .execute();
    later(6);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_expired",
    });
  });

  test("the time ends while an alarm stands: it ends only with the event, and nobody is at fault", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    const envelope = double.envelopes.find((one) => one.ref === ref);
    const other = await at.refOf((await at.sent()).booking.id);
    if (envelope) envelope.forged = double.envelopes.find((one) => one.ref === other)?.documents[0] ?? null;
    await at.sign(sent, "artist");
    later(1);
    await at.sign(sent, "promoter");
    expect((await contractRow(at.app, sent.booking.id)).provider_alarm).not.toBeNull();
    const past = at.app.clock.now();
    later(60);
    await at.app.database.db
      .updateTable("contracts")
      .set({ expires_at: past, extended_at: past })
      .where("booking_id", "=", sent.booking.id)
      .execute();
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await at.app.database.db
      .updateTable("bookings")
      .set({ starts_at: at.app.clock.now() })
      .where("id", "=", sent.booking.id)
      .execute();
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "canceled" });
    expect((await refunds(at.app, sent.booking.id)).map(({ amount }) => amount)).toEqual([sent.booking.deposit_cents]);
  });

  test("both have signed there and the file is not ready: nobody reads that it is their turn", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    double.sign(ref, "promoter");
    double.sign(ref, "artist");
    const envelope = double.envelopes.find((one) => one.ref === ref);
    if (envelope) envelope.status = "open";
    await at.hear(sent.booking.id);
    expect(await acts(sent.booking.id)).toHaveLength(2);
    const reminders = (await emailsFor(at.app, sent.booking.id)).filter(
      ({ template }) => template === "contract_reminder",
    );
    expect(reminders).toEqual([]);
    if (envelope) envelope.status = "completed";
    later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
  });

  test("a party whose account has another mailbox by now still signs there", async () => {
    const sent = await at.sent();
    await at.app.database.db
      .updateTable("users")
      .set({ email: `moved-${sent.performer.user.email}` })
      .where("id", "=", sent.performer.user.id)
      .execute();
    const link = await at.app.request("/api/contracts/signing/provider-link", { body: { key: sent.artist_token } });
    expect(link.status).toBe(200);
  });

  test("the page leads each party to the service, and signs nothing itself", async () => {
    const sent = await at.sent();
    const calls = signingCalls(at.app);
    const page = await calls.open(sent.promoter);
    expect(page.body).toMatchObject({ can_sign: true, service: way === "docuseal" ? "DocuSeal" : "DocuSign" });
    expect((await calls.sign(sent.promoter, page.body)).status).toBe(409);
    expect((await calls.decline(sent.promoter, page.body)).status).toBe(409);
    const link = (key: string) => at.app.request("/api/contracts/signing/provider-link", { body: { key } });
    const answer = (await (await link(sent.promoter)).json()) as { url: string };
    expect(answer.url).toMatch(way === "docuseal" ? /\/s\/slug\d+0$/ : /\/Signing\/promoter$/);
    const [envelope] = await envelopesOf(sent.booking.id);
    expect(envelope?.parties.find(({ side }) => side === "promoter")?.returnUrl).toContain(`/sign/${sent.promoter}`);
    double.fail("down", 3, "any");
    const down = await link(sent.artist_token);
    expect(down.status).toBe(503);
    expect(((await down.json()) as { message: string }).message).toContain("nothing is lost");
    expect((await link("x".repeat(32))).status).toBe(404);
    // Whoever comes back from the service finds what was signed there, without waiting for a notice.
    double.fail("down", 0, "any");
    double.sign(await at.refOf(sent.booking.id), "promoter");
    later(6);
    await calls.open(sent.artist_token);
    later(6);
    await calls.open(sent.artist_token);
    later(6);
    expect((await calls.open(sent.artist_token)).body.signers).toMatchObject([
      { side: "promoter", signed_at: expect.any(String) },
      { side: "artist", signed_at: null },
    ]);
    expect((await link(sent.promoter)).status).toBe(410);
  });
});

describe("DocuSeal", () => {
  test("special requests that it would take for a form field: at the third refusal it is signed on this server", async () => {
    const at = await signingWay("docuseal");
    try {
      const admin = await at.app.make.user({ role: "admin" });
      const performer = await peopleOf(() => at.app).person("artist");
      const artist = await peopleOf(() => at.app).artist({ userId: performer.user.id });
      const booking = await at.app.make.booking({
        artistId: artist.id,
        status: "deposit_paid",
        now: at.app.clock.now(),
        promoterName: "Hannah {{Whitt}}",
      });
      for (let attempt = 0; attempt < 3; attempt++) {
        expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "deposit_paid" });
        await sendContracts(at.app.services);
        at.app.clock.advance(200_000);
      }
      expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
      expect(await contractRow(at.app, booking.id)).toMatchObject({
        signed_status: "sent",
        provider: "embedded",
        provider_ref: null,
      });
      const told = (await emailsFor(at.app, booking.id)).filter(({ recipient }) => recipient === admin.email);
      expect(told.map(({ text }) => text).join()).toContain("is signed on this server");
    } finally {
      await at.close();
    }
  });
});

async function cancelNow(at: Signing, bookingId: string): Promise<void> {
  const now = at.app.clock.now();
  await at.app.database.transaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (!booking) throw new Error("the booking is gone");
    const { refund_cents: expectedRefund } = await previewCancellation(tx, booking, { by: "promoter", now });
    await cancelBooking(tx, booking, { by: "promoter", code: "plans_changed", note: null, expectedRefund, now });
  });
}
