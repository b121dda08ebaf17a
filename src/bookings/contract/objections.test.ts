import { beforeEach, describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, emailsFor, guestOf, refunds, verifyMailbox } from "#test/harness/bookings.ts";
import { sentContract } from "#test/harness/contracts.ts";
import {
  attestedContract,
  decideObjection,
  objectAsPromoter,
  objectionReason,
  readContractPage,
  recipientsOf,
} from "#test/harness/esign/attestations.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { watchContracts } from "./deadlines.ts";

const app = closeAfterFile(await testApp());
let admin: Record<string, string>;
beforeEach(async () => {
  // An earlier test may have advanced the clock beyond the session.
  admin = await app.signIn(await app.make.user({ role: "admin" }));
});

const read = (id: string) => readContractPage(app, id, admin);
const attested = () => attestedContract(app, admin);
const emailed = (bookingId: string, name: string) => recipientsOf(app, bookingId, name);

const blockOf = async (bookingId: string) => {
  const page = await app.request(`/api/bookings/${bookingId}`, { headers: admin });
  return ((await page.json()) as { completion_block: string | null }).completion_block;
};
const objectionsToDecide = async () => {
  const response = await app.request("/api/admin/attention", { headers: admin });
  const { items } = (await response.json()) as { items: { kind: string; count: number }[] };
  return items.find(({ kind }) => kind === "objection")?.count ?? 0;
};

describe("an objection", () => {
  type Page = { contract: { attestation: { can_object: boolean; objections: { side: string; reason: string }[] } } };
  const attestationOf = async (response: Response) => ((await response.json()) as Page).contract.attestation;

  test("is accepted once from a party, recorded in the evidence, and every admin is notified", async () => {
    const { id, booking, performer } = await attested();
    const guest = guestOf(app, booking.id);
    const address = `/api/bookings/${booking.id}/object-to-attestation`;
    expect(await attestationOf(await guest.call(`/api/bookings/${booking.id}`))).toMatchObject({ can_object: true });
    expect((await guest.call(address, { reason: "No" })).status).toBe(400);
    expect((await guest.call(address, { reason: objectionReason })).status).toBe(200);
    expect((await guest.call(address, { reason: objectionReason })).status).toBe(409);
    expect(await attestationOf(await guest.call(`/api/bookings/${booking.id}`))).toMatchObject({
      can_object: false,
      objections: [{ side: "promoter", reason: objectionReason }],
    });
    const body = await read(id);
    expect(body.attestation?.objections).toMatchObject([{ side: "promoter", reason: objectionReason }]);
    expect(body.evidence.events.at(-1)).toMatchObject({ kind: "objected", side: "promoter" });
    expect(body.evidence.fault).toBeNull();
    expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
    const alarms = (await emailsFor(app, booking.id)).filter(({ template }) => template === "money_alarm");
    expect(alarms.map(({ text }) => text).join()).toContain(objectionReason);
    const mine = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(performer.user) });
    expect(await attestationOf(mine)).toMatchObject({ can_object: true });
  });

  test("is refused for other users (404), an admin (403), after 72 hours or the show and without an attestation (409)", async () => {
    const { booking, performer } = await attested();
    const address = `/api/bookings/${booking.id}/object-to-attestation`;
    const body = { reason: objectionReason };
    const stranger = await app.signIn(await app.make.user({ role: "promoter" }));
    expect((await app.request(address, { headers: stranger, body })).status).toBe(404);
    expect((await app.request(address, { headers: admin, body })).status).toBe(403);
    const { booking: played } = await attested();
    await app.database.db.updateTable("bookings").set({ status: "completed" }).where("id", "=", played.id).execute();
    expect((await objectAsPromoter(app, played.id)).status).toBe(409);
    app.clock.advance(72 * hourMs);
    const late = await app.request(address, { headers: await app.signIn(performer.user), body });
    expect(late.status).toBe(409);
    const { booking: open } = await sentContract(app);
    expect((await objectAsPromoter(app, open.id)).status).toBe(409);
  });

  test("blocks the booking until an admin upholds the signature, and both parties are notified", async () => {
    const { id, booking, performer } = await attested();
    const before = await objectionsToDecide();
    await objectAsPromoter(app, booking.id);
    expect(await blockOf(booking.id)).toBe("objection");
    expect(await objectionsToDecide()).toBe(before + 1);
    expect(await emailed(booking.id, "objection_made")).toEqual([performer.user.email]);
    const own = guestOf(app, booking.id);
    await verifyMailbox(app, own, booking.id);
    const cancel = { code: "plans_changed", note: "", expected_refund_cents: 0 };
    expect((await own.json(`/api/bookings/${booking.id}/cancel`, cancel)).status).toBe(409);
    expect((await own.json(`/api/bookings/${booking.id}`)).body).toMatchObject({
      can: { cancel: false },
      money: { if_canceled: null },
    });
    expect(await decideObjection(app, booking.id, await app.signIn(performer.user), { decision: "upheld" })).toBe(403);
    expect(await decideObjection(app, booking.id, admin, { decision: "upheld", release_cents: 100 })).toBe(409);
    expect(await decideObjection(app, booking.id, admin, { decision: "upheld" })).toBe(200);
    expect(await decideObjection(app, booking.id, admin, { decision: "annulled" })).toBe(409);
    expect(await blockOf(booking.id)).not.toBe("objection");
    expect(await objectionsToDecide()).toBe(before);
    expect(await emailed(booking.id, "objection_decided")).toHaveLength(2);
    const log = await app.database.db.selectFrom("activity").select("message").where("ref_id", "=", id).execute();
    expect(log.map(({ message }) => message).join()).toContain("upheld the attested signature");
    expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
  });

  test("of the artist does not stop the promoter from canceling, which ends it without a decision", async () => {
    const { booking, performer } = await attested();
    const artist = await app.signIn(performer.user);
    const object = { headers: artist, body: { reason: objectionReason } };
    expect((await app.request(`/api/bookings/${booking.id}/object-to-attestation`, object)).status).toBe(200);
    const own = guestOf(app, booking.id);
    await verifyMailbox(app, own, booking.id);
    const { can, money } = (await own.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
    expect(can.cancel).toBe(true);
    const expected = money.if_canceled?.refund_cents ?? -1;
    const cancel = { code: "plans_changed", note: "", expected_refund_cents: expected };
    expect((await own.json(`/api/bookings/${booking.id}/cancel`, cancel)).status).toBe(200);
    await app.settle();
    expect((await refunds(app, booking.id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(expected);
    expect(await decideObjection(app, booking.id, admin, { decision: "annulled" })).toBe(409);
    const after = await app.request(`/api/bookings/${booking.id}`, { headers: artist });
    expect(await attestationOf(after)).toMatchObject({
      can_object: false,
      objections: [{ side: "artist", decision: "booking_ended" }],
    });
  });

  test("that is not decided after the show is reported to the admins once a day", async () => {
    const { booking } = await attested();
    await objectAsPromoter(app, booking.id);
    const ends_at = new Date(app.clock.now().getTime() - hourMs);
    const starts_at = new Date(ends_at.getTime() - hourMs);
    await app.database.db.updateTable("bookings").set({ starts_at, ends_at }).where("id", "=", booking.id).execute();
    const reminders = async () => {
      await watchContracts(app.services);
      await watchContracts(app.services);
      const sent = (await emailsFor(app, booking.id)).filter(({ text }) => text.includes("is not decided"));
      return sent.length / new Set(sent.map(({ recipient }) => recipient)).size;
    };
    expect(await reminders()).toBe(1);
    app.clock.advance(24 * hourMs);
    expect(await reminders()).toBe(2);
  });
});
