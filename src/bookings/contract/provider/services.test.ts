import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "#contracts/index.ts";
import { bookingRow } from "#test/harness/bookings.ts";
import { attestSignatures, contractRow, signingCalls } from "#test/harness/contracts.ts";
import { cancelNow, type SigningService, signingService } from "#test/harness/esign/cases.ts";
import { services } from "#test/harness/esign/suite.ts";
import { watchContracts } from "../deadlines.ts";
import { sendContracts } from "../sending.ts";
import { syncSigningServices } from "./jobs.ts";

describe.each(services)("contracts at %s", (way) => {
  let at: SigningService;
  let double: SigningService["double"];
  beforeAll(async () => {
    at = await signingService(way);
    double = at.double;
  });
  afterAll(() => at.close());

  describe("sending", () => {
    test.each(["503", "down", "lost"] as const)(
      "retries after an outage (%s), and sends nothing twice",
      async (how) => {
        const booking = await at.unsent();
        double.fail(how);
        await sendContracts(at.app.services);
        expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "deposit_paid" });
        const failed = await contractRow(at.app, booking.id);
        expect(failed).toMatchObject({ signed_status: "draft", attempts: 1 });
        expect(failed.last_error).toMatch(/could not be reached|is not available/);
        await sendContracts(at.app.services);
        expect(await contractRow(at.app, booking.id)).toMatchObject({ attempts: 1 });
        at.later(61);
        await sendContracts(at.app.services);
        expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
        expect(await at.envelopesOf(booking.id)).toHaveLength(1);
        const sent = await contractRow(at.app, booking.id);
        const agreement = await documentOf(at.app.database.db, sent.id, ["agreement"]);
        const [envelope] = await at.envelopesOf(booking.id);
        expect(envelope?.documents[0]?.equals(agreement?.bytes ?? Buffer.alloc(0))).toBe(true);
      },
    );

    test("notifies the admins once after the third failure, and the component list reports it", async () => {
      const admin = await at.app.make.user({ role: "admin" });
      const booking = await at.unsent();
      double.fail("503", 4);
      for (let attempt = 0; attempt < 4; attempt++) {
        await sendContracts(at.app.services);
        at.later(200);
      }
      const alarms = await at.alarms(booking.id);
      expect(alarms.length).toBeGreaterThan(0);
      expect(new Set(alarms).size).toBe(1);
      expect(alarms[0]).toContain("could not be sent 3 times");
      const listed = await at.app.request("/api/admin/components", { headers: await at.app.signIn(admin) });
      const { items } = (await listed.json()) as { items: { name: string }[] };
      expect(items.find(({ name }) => name === "signing")).toMatchObject({
        status: "failing",
        details: expect.stringContaining("not available"),
        queue: { waiting: 1 },
      });
      await sendContracts(at.app.services);
      expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
    });

    test("sends once from two concurrent processes", async () => {
      const booking = await at.unsent();
      await Promise.all([sendContracts(at.app.services), sendContracts(at.app.services)]);
      expect(await at.envelopesOf(booking.id)).toHaveLength(1);
      expect((await at.acts(booking.id)).filter((act) => act === "sent")).toHaveLength(1);
    });

    test("withdraws a contract whose response was lost before the booking was canceled", async () => {
      const booking = await at.unsent();
      double.fail("lost");
      await sendContracts(at.app.services);
      await cancelNow(at, booking.id);
      await at.settle();
      expect((await at.envelopesOf(booking.id)).map(({ status }) => status)).toEqual(["voided"]);
    });
  });

  describe("webhooks", () => {
    test("give the same result after 100 deliveries in any order", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      const notices = [double.webhook(ref, at.app.clock.now())];
      double.sign(ref, "artist");
      at.later(1);
      notices.push(double.webhook(ref, at.app.clock.now()));
      double.sign(ref, "promoter");
      at.later(1);
      notices.push(double.webhook(ref, at.app.clock.now()));
      for (let count = 0; count < 100; count++) {
        const notice = notices[(count * 7 + 2) % notices.length];
        if (notice) expect((await at.deliver(notice)).status).toBe(200);
        if (count % 10 === 0) await at.settle();
      }
      await at.settle();
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
      expect((await at.acts(sent.booking.id)).filter((act) => act.startsWith("signed"))).toHaveLength(2);
      const stored = await at.app.database.db
        .selectFrom("provider_events")
        .select("id")
        .where("object_id", "=", ref)
        .execute();
      expect(stored).toHaveLength(3);
    });

    test("are not needed: the poll applies the state every ten minutes", async () => {
      const sent = await at.sent();
      await at.signBothThere(sent.booking.id);
      await syncSigningServices(at.app.services);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
      at.later(601);
      await syncSigningServices(at.app.services);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    });

    test("are retried when the sync fails, and listed as failed after 8 attempts", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      double.sign(ref, "artist");
      await at.deliver(double.webhook(ref, at.app.clock.now()));
      double.fail("down", 8, "any");
      const event = () =>
        at.app.database.db
          .selectFrom("provider_events")
          .selectAll()
          .where("object_id", "=", ref)
          .executeTakeFirstOrThrow();
      for (let attempt = 1; attempt <= 8; attempt++) {
        await at.settle();
        expect(await event()).toMatchObject({ attempts: attempt, processed_at: null });
        at.later(2_000);
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
      await syncSigningServices(at.app.services);
      expect(await at.acts(sent.booking.id)).toEqual(["sent", "signed artist"]);
    });

    test("about an unknown contract are recorded with a note and change nothing", async () => {
      double.envelopes.push({
        ref: way === "docuseal" ? "99" : "an-envelope-of-others",
        externalId: "theirs",
        status: "completed",
        parties: [],
        documents: [],
        order: null,
        forged: null,
      });
      const ref = double.envelopes.at(-1)?.ref ?? "";
      await at.deliver(double.webhook(ref, at.app.clock.now()));
      await at.settle();
      const [event] = await at.app.database.db
        .selectFrom("provider_events")
        .selectAll()
        .where("object_id", "=", ref)
        .execute();
      expect(event).toMatchObject({ last_error: "No contract of this installation has this id." });
      expect(event?.processed_at).not.toBeNull();
    });
  });

  describe("a mismatch with the sent document", () => {
    test("raises one alarm and signs nothing for a signed file with another text", async () => {
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
        at.later(1);
        await at.hear(sent.booking.id);
      }
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
      expect(await contractRow(at.app, sent.booking.id)).toMatchObject({
        signed_status: "sent",
        provider_alarm: expect.stringContaining("page 1 of the signed file is not that page of the agreement"),
      });
      expect(await at.acts(sent.booking.id)).toEqual(["sent", "signed artist", "reported"]);
      expect(await at.alarms(sent.booking.id)).toContainEqual(expect.stringContaining("Nothing was signed."));
      const attention = await at.app.request("/api/admin/attention", { headers: await at.app.signIn(admin) });
      const { items } = (await attention.json()) as { items: { kind: string }[] };
      expect(items.find(({ kind }) => kind === "contract")).toMatchObject({ count: 1 });
      if (foreign) foreign.forged = null;
      at.later(1);
      await at.hear(sent.booking.id);
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    });

    test("raises an alarm and signs nothing for an envelope of another agreement", async () => {
      const sent = await at.sent();
      const ref = await at.refOf(sent.booking.id);
      const envelope = double.envelopes.find((one) => one.ref === ref);
      if (!envelope) throw new Error("nothing was sent");
      envelope.externalId = envelope.externalId.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
      for (const party of envelope.parties) party.externalId = `${envelope.externalId}:${party.side}`;
      double.sign(ref, "artist");
      await at.hear(sent.booking.id);
      expect(await at.acts(sent.booking.id)).toEqual(["sent", "reported"]);
      expect((await contractRow(at.app, sent.booking.id)).provider_alarm).toContain("another document");
    });
  });

  test("records signatures as evidence when the booking was canceled after them, and the booking stays canceled", async () => {
    const sent = await at.sent();
    await at.signBothThere(sent.booking.id);
    await cancelNow(at, sent.booking.id);
    await at.settle();
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "canceled" });
    expect(await contractRow(at.app, sent.booking.id)).toMatchObject({ signed_status: "sent" });
    expect(await at.acts(sent.booking.id)).toEqual(["sent", "voided", "reported promoter", "reported artist"]);
  });

  test("appends later signatures at the service as evidence when the contract was marked as signed first", async () => {
    const sent = await at.sent();
    await at.signBothThere(sent.booking.id);
    const admin = await at.app.make.user({ role: "admin" });
    await attestSignatures(at.app, sent.booking.id, admin.id);
    await at.hear(sent.booking.id);
    at.later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    expect(await at.acts(sent.booking.id)).toEqual([
      "sent",
      "attested promoter",
      "attested artist",
      "reported promoter",
      "reported artist",
    ]);
  });

  test("cancels the booking when the contract expires at the service", async () => {
    const sent = await at.sent();
    await at.sign(sent, "promoter");
    double.expire(await at.refOf(sent.booking.id));
    at.later(1);
    await at.hear(sent.booking.id);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_expired",
    });
  });

  test("counts signatures made at the service before the deadline and synced after it", async () => {
    const sent = await at.sent();
    await at.signBothThere(sent.booking.id);
    const past = at.app.clock.now();
    at.later(60);
    await at.endTime(sent.booking.id, past);
    double.fail("down", 1, "any");
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    await watchContracts(at.app.services);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
  });

  test("links each party to the service, and refuses to sign on the page (409)", async () => {
    const sent = await at.sent();
    const calls = signingCalls(at.app);
    const page = await calls.open(sent.promoter);
    expect(page.body).toMatchObject({ can_sign: true, service: way === "docuseal" ? "DocuSeal" : "DocuSign" });
    expect((await calls.sign(sent.promoter, page.body)).status).toBe(409);
    expect((await calls.decline(sent.promoter, page.body)).status).toBe(409);
    const link = (key: string) => at.app.request("/api/contracts/signing/provider-link", { body: { key } });
    const response = (await (await link(sent.promoter)).json()) as { url: string };
    expect(response.url).toMatch(way === "docuseal" ? /\/s\/slug\d+0$/ : /\/Signing\/promoter$/);
    const [envelope] = await at.envelopesOf(sent.booking.id);
    expect(envelope?.parties.find(({ side }) => side === "promoter")?.returnUrl).toContain(`/sign/${sent.promoter}`);
    double.fail("down", 3, "any");
    const down = await link(sent.artist_token);
    expect(down.status).toBe(503);
    expect(((await down.json()) as { message: string }).message).toContain("Nothing is lost");
    expect((await link("x".repeat(32))).status).toBe(404);
    // Opening the page after the return from the service syncs the signatures without a webhook.
    double.fail("down", 0, "any");
    double.sign(await at.refOf(sent.booking.id), "promoter");
    at.later(6);
    await calls.open(sent.artist_token);
    at.later(6);
    await calls.open(sent.artist_token);
    at.later(6);
    expect((await calls.open(sent.artist_token)).body.signers).toMatchObject([
      { side: "promoter", signed_at: expect.any(String) },
      { side: "artist", signed_at: null },
    ]);
    expect((await link(sent.promoter)).status).toBe(410);
  });
});
