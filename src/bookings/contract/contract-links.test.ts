import { describe, expect, test } from "vitest";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, guestOf } from "#test/harness/bookings.ts";
import { attestSignatures, contractRow, evidenceEntries, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { watchContracts } from "./deadlines.ts";

const app = closeAfterFile(await testApp());

describe("the document link", () => {
  test("is valid for ten minutes for the parties and admins, and not found (404) for others", async () => {
    const { booking, performer } = await sentContract(app);
    const { id, document_hash: hash } = await contractRow(app, booking.id);
    const admin = await app.make.user({ role: "admin" });
    const visitor = guestOf(app, booking.id);
    const address = `/api/contracts/${id}/document`;
    for (const response of [
      await app.request(address, { headers: await app.signIn(performer.user) }),
      await app.request(address, { headers: await app.signIn(admin) }),
      await visitor.call(address),
    ]) {
      expect(response.status).toBe(302);
      const file = await app.request(response.headers.get("location") ?? "");
      expect(file.headers.get("content-type")).toBe("application/pdf");
      const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
      expect(Buffer.from(digest).toString("hex")).toBe(hash);
    }
    const stranger = await app.request(address, {
      headers: await app.signIn(await app.make.user({ role: "promoter" })),
    });
    expect([stranger.status, (await app.request(`/api/contracts/${crypto.randomUUID()}/document`)).status]).toEqual([
      404, 404,
    ]);
    const link = (await visitor.call(address)).headers.get("location") ?? "";
    expect(
      (await app.request(link.replace(/key=(.)/, (_all, first) => `key=${first === "A" ? "B" : "A"}`))).status,
    ).toBe(410);
    app.clock.advance(11 * minuteMs);
    expect((await app.request(link)).status).toBe(410);
  });

  test("creates the document of a demo contract on the first opening", async () => {
    const booking = await app.make.booking({
      status: "contract_signed",
      keys: app.services.keys,
      now: app.clock.now(),
    });
    const { id } = await contractRow(app, booking.id);
    const admin = await app.make.user({ role: "admin" });
    const headers = await app.signIn(admin);
    expect((await app.request(`/api/contracts/${id}/document`, { headers })).status).toBe(302);
    expect((await contractRow(app, booking.id)).document_hash).not.toBeNull();
    expect(
      (await evidenceEntries(app, booking.id)).map(({ kind, details }) => `${kind} ${String(details["method"] ?? "")}`),
    ).toEqual(["sent ", "signed recorded", "signed recorded"]);
  });
});

describe("a signing link that has ended", () => {
  const endOf = async (key: string) => {
    const { status, body } = await signingCalls(app).open(key);
    const { end } = (body as unknown as { data: { end: string } }).data;
    return [status, end, body.message];
  };

  test("states that the booking was canceled and when, also to the party that has signed", async () => {
    const { booking, performer, promoter, artist_token } = await sentContract(app);
    const guest = signingCalls(app);
    await guest.openAndSign(promoter);
    const canceling = { code: "cannot_perform", expected_refund_cents: booking.deposit_cents };
    expect((await performer.at.json(`/api/bookings/${booking.id}/cancel`, canceling)).status).toBe(200);
    const { canceled_at: canceledAt, time_zone: zone } = await bookingRow(app, booking.id);
    const at = formatInstant(canceledAt ?? new Date(NaN), zone);
    for (const token of [promoter, artist_token])
      expect(await endOf(token)).toEqual([
        410,
        "canceled",
        `The booking was canceled on ${at}. The contract can no longer be signed.`,
      ]);
  });

  test("states that an admin recorded the signatures", async () => {
    const { booking, promoter } = await sentContract(app);
    await attestSignatures(app, booking.id, (await app.make.user({ role: "admin" })).id);
    expect(await endOf(promoter)).toEqual([
      410,
      "attested",
      expect.stringContaining("an admin recorded that both of you signed this contract on paper"),
    ]);
  });

  test("states when the time to sign ended, and then that the contract was not signed in time", async () => {
    const { booking, promoter } = await sentContract(app);
    const { starts_at: showStart } = await bookingRow(app, booking.id);
    app.clock.advance(showStart.getTime() - app.clock.now().getTime());
    expect(await endOf(promoter)).toEqual([
      410,
      "expired",
      expect.stringMatching(/^The time to sign ended on .*, when the show began\./),
    ]);
    await watchContracts(app.services);
    expect(await endOf(promoter)).toEqual([
      410,
      "canceled",
      expect.stringMatching(/^This contract was not signed in time, and the booking was canceled on /),
    ]);
  });
});
