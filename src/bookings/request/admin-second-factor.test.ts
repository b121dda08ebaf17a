import { expect, test } from "vitest";
import { requireActor } from "#platform/http/context.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { broadcastChange } from "#realtime/index.ts";
import { bookingRow, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { authenticate } from "#users/index.ts";

test("gives an admin without a second factor no booking outside demo mode, and no live notification of admins", async () => {
  await using app = await testApp({ env: { DEMO: "0" } });
  const { held, person } = peopleOf(() => app);
  const { booking } = await held();
  const full = await person("admin");
  const user = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(user);
  await app.database.db.updateTable("profiles").set({ role: "admin" }).where("user_id", "=", user.id).execute();
  const cancel = { code: "other", note: "By nobody.", expected_refund_cents: 0 };
  for (const [path, body] of [
    ["", undefined],
    ["/documents", undefined],
    ["/cancellation", undefined],
    ["/calendar", undefined],
    ["/cancel", cancel],
  ] as const) {
    const address = `/api/bookings/${booking.id}${path}`;
    const response = await app.request(address, { headers, ...(body ? { body } : {}) });
    expect([path, response.status]).toEqual([path, 404]);
  }
  const checkout = { headers, body: { booking_id: booking.id } };
  expect((await app.request("/api/functions/create-contract-and-checkout", checkout)).status).toBe(404);
  expect((await bookingRow(app, booking.id)).status).toBe(booking.status);
  expect((await full.at.json(`/api/bookings/${booking.id}`)).status).toBe(200);

  const listener = async (of: { authorization: string }) => {
    const bearer = bearerOf(of) ?? "";
    const actor = await authenticate(app.services, bearer);
    return app.services.streams.open(requireActor({ actor }), bearer);
  };
  const [none, all] = [await listener(headers), await listener(await app.signIn(full.user))];
  await app.services.database.transaction((tx) => broadcastChange(tx, "bookings", { userIds: [], admins: true }));
  await expect.poll(() => all.waiting.has("bookings")).toBe(true);
  expect([...none.waiting]).toEqual([]);
  for (const stream of [none, all]) app.services.streams.close(stream);
});
