import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, peopleOf, reservations } from "#test/harness/bookings.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import { bookingStatusNames } from "../rules.ts";

const app = closeAfterFile(await testApp());

const { person, held } = peopleOf(() => app);

describe("paying", () => {
  test("returns not found (404) to visitors, other promoters and artists, as for a missing booking", async () => {
    const { booking } = await held();
    const others = [browser(app), (await person("promoter")).at, (await person("artist")).at];
    for (const other of others) {
      const calls = [
        ["/api/functions/create-contract-and-checkout", { booking_id: booking.id }, { booking_id: randomUUID() }],
        [
          "/api/functions/create-checkout",
          { bookingId: booking.id, isDeposit: true },
          { bookingId: randomUUID(), isDeposit: true },
        ],
      ] as const;
      for (const [address, foreign, missing] of calls) {
        const { requestId: _, ...one } = (await other.json(address, foreign)).body;
        const { requestId: __, ...two } = (await other.json(address, missing)).body;
        expect(one).toEqual(two);
        expect(one).toMatchObject({ code: "PGRST116", message: "Booking not found" });
      }
    }
    expect(await reservations(app, booking.artist_id)).toEqual([]);
  });

  test("is allowed to the owner, an admin and the browser that sent the request", async () => {
    const owner = await person("promoter");
    const admin = await person("admin");
    const urls = new Map<string, Set<unknown>>();
    const [owned, guests] = [await held({ promoterUserId: owner.user.id }), await held()];
    for (const [booking, at] of [
      [owned.booking, owner.at],
      [owned.booking, admin.at],
      [guests.booking, guests.visitor],
      [guests.booking, admin.at],
    ] as const) {
      const { status, body } = await at.json("/api/functions/create-checkout", {
        bookingId: booking.id,
        isDeposit: true,
      });
      expect(status, JSON.stringify(body)).toBe(200);
      urls.set(booking.id, new Set(urls.get(booking.id)).add(body["url"]));
    }
    expect([...urls.values()].map(({ size }) => size)).toEqual([1, 1]);
  });

  test.each(bookingStatusNames)("at %s allows only the payment that is due", async (status) => {
    const { booking, visitor } = await held({ status });
    for (const isDeposit of [true, false]) {
      const response = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit });
      const due = status === (isDeposit ? "initiated" : "contract_signed");
      expect(response.status, `${status} ${String(isDeposit)} ${JSON.stringify(response.body)}`).toBe(due ? 200 : 409);
    }
  });

  test("refuses amounts and other keys in the body", async () => {
    const { booking, visitor } = await held();
    for (const more of [
      { amount: 1 },
      { currency: "eur" },
      { isDeposit: "true" },
      { bookingId: [booking.id] },
      { bookingId: "x" },
    ]) {
      const { status } = await visitor.json("/api/functions/create-checkout", {
        bookingId: booking.id,
        isDeposit: true,
        ...more,
      });
      expect(status).toBe(400);
    }
  });

  test("is allowed to a signed-in owner in a new tab, which gets its session from the cookie", async () => {
    const owner = await app.make.user({ role: "promoter" });
    const { booking } = await held({ promoterUserId: owner.id });
    const tab = browser(app);
    const cookieMode = { "x-token-mode": "cookie" };
    await tab.call("/auth/v1/token?grant_type=password", { email: owner.email, password: testPassword }, cookieMode);
    const session = await tab.call("/auth/v1/token?grant_type=refresh_token", { refresh_token: "cookie" }, cookieMode);
    const { access_token: token } = (await session.json()) as { access_token: string };
    const paid = await tab.call(
      "/api/functions/create-checkout",
      { bookingId: booking.id, isDeposit: true },
      { authorization: `Bearer ${token}` },
    );
    expect(paid.status).toBe(200);
  });
});
