import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookingStatuses } from "#bookings/rules.ts";
import { checkoutStates, paymentStatuses, collectionMethods } from "#payments/rules.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { fallbackRole } from "#users/rules.ts";
import { artistDefaults, platformDefaults } from "./defaults.rules.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => app.close());

test("has a first status of each row that is the first of the rules", async () => {
  const { rows } = await sql<{ field: string; value: string }>`
    select table_name || '.' || column_name as field, substring(column_default from '^''([a-z_]+)''::text$') as value
    from information_schema.columns
    where table_schema = 'public' and column_default ~ '^''[a-z_]+''::text$' and table_name in ('bookings', 'payments', 'profiles')
    order by 1`.execute(app.database.db);
  expect(Object.fromEntries(rows.map(({ field, value }) => [field, value]))).toEqual({
    "bookings.status": Object.keys(bookingStatuses)[0],
    "payments.checkout_state": Object.keys(checkoutStates)[0],
    "payments.status": Object.keys(paymentStatuses)[0],
    "payments.way": collectionMethods[0],
    "profiles.role": fallbackRole,
  });
});

test("displays the defaults of an artist without saved settings, which no statement repeats", async () => {
  const artist = await app.make.artist();
  const response = await app.request(`/api/artists/${artist.slug}`);
  expect(await response.json()).toMatchObject({
    currency: platformDefaults.currency,
    minimum_notice: artistDefaults.minimumNotice,
    maximum_booking_days: artistDefaults.maximumBookingDays,
  });
});
