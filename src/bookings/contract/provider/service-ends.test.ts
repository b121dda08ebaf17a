import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueContract } from "#contracts/agreements-for-bookings.ts";
import { contractOf } from "#contracts/index.ts";
import { outgoing } from "#contracts/services-for-bookings.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { bookingRow, emailsFor, peopleOf, refunds } from "#test/harness/bookings.ts";
import { contractRow, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { cancelNow, type SigningService, signingService } from "#test/harness/esign/cases.ts";
import { refusedMailbox } from "#test/harness/esign/double.ts";
import { services, signingWay } from "#test/harness/esign/suite.ts";
import { watchContracts } from "../deadlines.ts";
import { serviceTime, sendContracts } from "../sending.ts";
import { syncSigningServices } from "./jobs.ts";

describe.each(services)("the end of a contract at %s", (way) => {
  let at: SigningService;
  let double: SigningService["double"];
  beforeAll(async () => {
    at = await signingService(way);
    double = at.double;
  });
  afterAll(() => at.close());

  test("searches for a contract canceled during its sending until the sending is over", async () => {
    const booking = await at.unsent();
    double.fail("down");
    await sendContracts(at.app.services);
    await cancelNow(at, booking.id);
    await at.settle();
    expect((await contractRow(at.app, booking.id)).provider_canceled_at).toBeNull();
    at.later(300);
    await at.settle();
    expect((await contractRow(at.app, booking.id)).provider_canceled_at).not.toBeNull();
  });

  test("notifies the admins once of a contract that cannot be withdrawn, and withdraws it later", async () => {
    await at.app.make.user({ role: "admin" });
    const { booking } = await at.sent();
    await cancelNow(at, booking.id);
    for (let attempt = 0; attempt < 2; attempt++) {
      double.fail("503", 1, "any");
      await at.settle();
      at.later(200);
    }
    const alarms = (await at.alarms(booking.id)).filter((text) => text.includes("can still be signed"));
    expect(new Set(alarms).size).toBe(1);
    await at.settle();
    expect((await contractRow(at.app, booking.id)).provider_canceled_at).not.toBeNull();
  });

  test("withdraws a contract that the service no longer has once, and notifies the admins", async () => {
    await at.app.make.user({ role: "admin" });
    const { booking } = await at.sent();
    const { db } = at.app.database;
    await db.updateTable("contracts").set({ provider_ref: "999998" }).where("booking_id", "=", booking.id).execute();
    await cancelNow(at, booking.id);
    await at.settle();
    expect((await contractRow(at.app, booking.id)).provider_canceled_at).not.toBeNull();
    expect((await at.alarms(booking.id)).at(-1)).toContain("no longer has a contract that has ended here");
  });

  test("refuses to issue a contract requested at a service as signed on this server", async () => {
    const booking = await at.unsent();
    double.fail("lost");
    await sendContracts(at.app.services);
    const contract = await findContract(at.app.database.db, booking.id);
    const drawn = contract && (await outgoing.claimedAgreement(at.app.database.db, contract));
    if (!drawn) throw new Error("nothing was asked for");
    const issue = { bookingId: booking.id, drawn, startsAt: at.app.clock.now(), now: at.app.clock.now() };
    const sent = { provider: "embedded", ref: null };
    expect(await at.app.database.transaction((tx) => issueContract(tx, { ...issue, sent }))).toBe(false);
    at.later(200);
    await sendContracts(at.app.services);
    expect(await contractRow(at.app, booking.id)).toMatchObject({ signed_status: "sent", provider: way });
    // A slower process finds the contract issued, and does not withdraw it.
    const ref = await at.refOf(booking.id);
    await at.app.database.transaction((tx) => outgoing.withdrawSent(tx, booking.id, ref, at.app.clock.now()));
    expect((await contractRow(at.app, booking.id)).provider_cancel_from).toBeNull();
  });

  test("uses the real clock for the service", async () => {
    const { clock } = at.app.services;
    const realClock = { now: () => new Date(clock.now().getTime() - 40 * dayMs) };
    expect(serviceTime({ clock, realClock }, new Date("2027-03-01T00:00:00Z")).toISOString()).toMatch(/^2027-01-2/);
  });

  test("notifies the admins once when the service is unreachable for an hour", async () => {
    await at.app.make.user({ role: "admin" });
    const sent = await at.sent();
    const { db } = at.app.database;
    const change = (fields: { provider_ref?: string; provider_canceled_at?: Date; provider_cancel_from?: Date }) =>
      db.updateTable("contracts").set(fields).where("booking_id", "=", sent.booking.id).execute();
    await change({ provider_ref: "999999" });
    at.later(601);
    await syncSigningServices(at.app.services);
    expect(await at.alarms(sent.booking.id)).toEqual([]);
    for (let count = 0; count < 2; count++) {
      at.later(3_601);
      await syncSigningServices(at.app.services);
    }
    const alarms = await at.alarms(sent.booking.id);
    expect(new Set(alarms).size).toBe(1);
    expect(alarms[0]).toContain("could not be queried about a contract for an hour");
    await change({ provider_cancel_from: at.app.clock.now(), provider_canceled_at: at.app.clock.now() });
  });

  test("stores a cleaned decline reason, and cancels the booking", async () => {
    const sent = await at.sent();
    double.decline(await at.refOf(sent.booking.id), "artist", `\0${"a".repeat(998)}😀 and more`);
    at.later(6);
    // Opening the page syncs the contract without a webhook.
    expect((await signingCalls(at.app).open(sent.promoter)).status).toBe(200);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_declined",
    });
    const { decline_reason: reason } = await contractRow(at.app, sent.booking.id);
    expect(reason).toMatch(/^a{998}/);
    expect(await at.acts(sent.booking.id)).toEqual(["sent", "declined artist"]);
  });

  test("opens the page and cancels at the event's start when the service's state cannot be applied", async () => {
    const sent = await at.sent();
    const { contractId: id } = sent;
    const agreement = () => at.app.database.db.deleteFrom("contract_documents").where("contract_id", "=", id).execute();
    await at.signBothThere(sent.booking.id);
    await agreement();
    at.later(6);
    expect((await signingCalls(at.app).open(sent.promoter)).status).not.toBe(500);
    await at.endTime(sent.booking.id);
    at.later(6);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await at.beginShow(sent.booking.id);
    at.later(6);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_expired",
    });
  });

  test("cancels a contract with an alarm only when the event begins, with no side at fault", async () => {
    const sent = await at.sent();
    const ref = await at.refOf(sent.booking.id);
    const envelope = double.envelopes.find((one) => one.ref === ref);
    const other = await at.refOf((await at.sent()).booking.id);
    if (envelope) envelope.forged = double.envelopes.find((one) => one.ref === other)?.documents[0] ?? null;
    await at.sign(sent, "artist");
    at.later(1);
    await at.sign(sent, "promoter");
    expect((await contractRow(at.app, sent.booking.id)).provider_alarm).not.toBeNull();
    const past = at.app.clock.now();
    at.later(60);
    await at.endTime(sent.booking.id, past);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await at.beginShow(sent.booking.id);
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "canceled" });
    expect((await refunds(at.app, sent.booking.id)).map(({ amount }) => amount)).toEqual([sent.booking.deposit_cents]);
  });

  test("sends no reminder when both have signed at the service and the file is not ready", async () => {
    const sent = await at.sent();
    await at.signBothThere(sent.booking.id);
    const ref = await at.refOf(sent.booking.id);
    const envelope = double.envelopes.find((one) => one.ref === ref);
    if (envelope) envelope.status = "open";
    await at.hear(sent.booking.id);
    expect(await at.acts(sent.booking.id)).toHaveLength(2);
    const reminders = (await emailsFor(at.app, sent.booking.id)).filter(
      ({ template }) => template === "contract_reminder",
    );
    expect(reminders).toEqual([]);
    if (envelope) envelope.status = "completed";
    at.later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
  });

  test("stores the mailbox that a party has changed since with its next signing link, and the former if it refuses it", async () => {
    const sent = await at.sent();
    const former = sent.performer.user.email;
    const linkAfter = async (email: string) => {
      const users = at.app.database.db.updateTable("users").set({ email });
      await users.where("id", "=", sent.performer.user.id).execute();
      const { status } = await at.app.request("/api/contracts/signing/provider-link", {
        body: { key: sent.artist_token },
      });
      const [envelope] = await at.envelopesOf(sent.booking.id);
      const parties = envelope?.parties.map(({ side, email: address }) => `${side} ${address}`);
      return [status, parties?.toSorted()];
    };
    const promoter = `promoter ${sent.booking.promoter_email}`;
    expect(await linkAfter(refusedMailbox)).toEqual([200, [`artist ${former}`, promoter]]);
    expect(await linkAfter(`moved-${former}`)).toEqual([200, [`artist moved-${former}`, promoter]]);
    const request = at.app.database.db.updateTable("bookings").set({ email_proven_at: null, promoter_user_id: null });
    await request.where("id", "=", sent.booking.id).execute();
    const corrected = await at.app.request(`/api/bookings/${sent.booking.id}/correct-email`, {
      headers: await at.app.signIn(await at.app.make.user({ role: "admin" })),
      body: { email: "right@example.test" },
    });
    expect([corrected.status, await corrected.json()]).toEqual([200, expect.anything()]);
    const { promoter: key } = await tokensOf(at.app, sent.booking.id);
    expect((await at.app.request("/api/contracts/signing/provider-link", { body: { key } })).status).toBe(200);
    const [envelope] = await at.envelopesOf(sent.booking.id);
    expect(envelope?.parties.find(({ side }) => side === "promoter")?.email).toBe("right@example.test");
  });
});

describe("DocuSeal", () => {
  test("signs a contract that DocuSeal refuses three times on this server, and notifies the admin", async () => {
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
        await at.app.database.db.updateTable("artists").set({ name: "Dreams" }).where("id", "=", artist.id).execute();
      }
      expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
      expect(await contractRow(at.app, booking.id)).toMatchObject({
        signed_status: "sent",
        provider: "embedded",
        provider_ref: null,
      });
      const signers = (await contractOf(at.app.database.db, booking.id))?.signers;
      expect(signers?.map(({ name }) => name)).toContain("Dreams");
      const alarms = (await emailsFor(at.app, booking.id)).filter(({ recipient }) => recipient === admin.email);
      expect(alarms.map(({ text }) => text).join()).toContain("is signed on this server");
    } finally {
      await at.close();
    }
  });
});
