import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { bookingRow, browser, refunds } from "#test/harness/bookings.ts";
import { contractRow, evidenceEntries } from "#test/harness/contracts.ts";
import { type Signing, signingWay, signingWays } from "#test/harness/esign/suite.ts";
import { bookingKey } from "../../links/access.ts";
import { watchContracts } from "../deadlines.ts";
import { sealContract } from "../document/sealing.ts";
import { sendContract } from "../sending.ts";

describe.each(signingWays)("a contract at %s", (way) => {
  let at: Signing;
  beforeAll(async () => {
    at = await signingWay(way);
  });
  afterAll(() => at.close());

  const acts = async (bookingId: string) => {
    const entries = await evidenceEntries(at.app, bookingId);
    return entries.map(({ kind, side }) => (side ? `${kind} ${side}` : kind));
  };
  const signatures = async (bookingId: string) => (await acts(bookingId)).filter((act) => act.startsWith("signed"));

  test("is sent once, with its document fixed", async () => {
    const { booking } = await at.sent();
    expect(await bookingRow(at.app, booking.id)).toMatchObject({ status: "contract_sent" });
    expect(await sendContract(at.app.services, booking.id)).toBe(false);
    expect(await contractRow(at.app, booking.id)).toMatchObject({ signed_status: "sent", provider: way });
    expect(at.double?.envelopes.length ?? 1).toBe(1);
    expect(await acts(booking.id)).toEqual(["sent"]);
  });

  test.each([
    ["promoter", "artist"],
    ["artist", "promoter"],
  ] as const)("is signed by both, the %s first, over one document, with a valid sealed copy", async (first, second) => {
    const sent = await at.sent();
    await at.sign(sent, first);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_sent" });
    expect(await signatures(sent.booking.id)).toEqual([`signed ${first}`]);
    await at.sign(sent, second);
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
    expect(await signatures(sent.booking.id)).toEqual([`signed ${first}`, `signed ${second}`]);
    const contract = await contractRow(at.app, sent.booking.id);
    const signers = await at.app.database.db
      .selectFrom("contract_signers")
      .selectAll()
      .where("contract_id", "=", contract.id)
      .execute();
    expect(signers.map((one) => Buffer.from(one.document_sha256 ?? []).toString("hex"))).toEqual([
      contract.document_hash,
      contract.document_hash,
    ]);
    await sealContract(at.app.services, sent.booking.id);
    const kinds = await documentKindsOf(at.app.database.db, contract.id);
    const copy = await documentOf(at.app.database.db, contract.id, ["sealed"]);
    const { valid, lines } = await verifySealedCopy(copy?.bytes ?? Buffer.alloc(0));
    expect(valid, lines.join("\n")).toBe(true);
    expect(lines.some((line) => line.startsWith("The file of the signing service"))).toBe(way !== "embedded");
    expect(kinds.toSorted()).toEqual(
      way === "embedded" ? ["agreement", "sealed"] : ["agreement", "provider", "sealed"],
    );
  });

  test("that is declined cancels the booking with its refund and the reason", async () => {
    const sent = await at.sent();
    await at.sign(sent, "promoter");
    await at.decline(sent, "artist", "The stage is too small.");
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_declined",
      cancel_note: "The stage is too small.",
    });
    expect(await contractRow(at.app, sent.booking.id)).toMatchObject({
      signed_status: "declined",
      declined_by: "artist",
      decline_reason: "The stage is too small.",
    });
    expect((await refunds(at.app, sent.booking.id)).length).toBe(1);
  });

  test("that is not signed in time cancels the booking, and accepts no later signature", async () => {
    const sent = await at.sent();
    const { app } = at;
    const past = new Date(app.clock.now().getTime() - 1_000);
    await app.database.db
      .updateTable("contracts")
      .set({ expires_at: past, extended_at: past })
      .where("booking_id", "=", sent.booking.id)
      .execute();
    await watchContracts(app.services);
    await at.settle();
    expect(await bookingRow(app, sent.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "contract_expired",
    });
    expect(await acts(sent.booking.id)).toEqual(["sent", "voided"]);
    await at.hear(sent.booking.id);
    expect(await signatures(sent.booking.id)).toEqual([]);
  });

  test("of a canceled booking is void here and at the service", async () => {
    const sent = await at.sent();
    await at.sign(sent, "artist");
    const visitor = browser(at.app);
    visitor.jar.set("bookings", bookingKey(at.app.services.keys, sent.booking.id));
    const preview = await visitor.json(`/api/bookings/${sent.booking.id}/cancellation`);
    const canceled = await visitor.json(`/api/bookings/${sent.booking.id}/cancel`, {
      code: "plans_changed",
      note: null,
      expected_refund_cents: preview.body["refund_cents"],
    });
    expect(canceled.status).toBe(200);
    await at.settle();
    const ref = await at.refOf(sent.booking.id);
    expect(at.double?.envelopes.find((one) => one.ref === ref)?.status ?? "voided").toBe("voided");
    await at.hear(sent.booking.id);
    expect(await acts(sent.booking.id)).toEqual(
      way === "embedded"
        ? ["sent", "opened artist", "consented artist", "signed artist", "voided"]
        : ["sent", "signed artist", "voided"],
    );
    expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "canceled" });
  });
});
