import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bookingStatuses } from "#bookings/rules.ts";
import { checkoutStates, paymentStatuses, collectionMethods } from "#payments/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import { fallbackRole } from "#users/rules.ts";
import { artistDefaults, platformDefaults } from "./defaults.rules.ts";
import {
  artistSettings,
  removeSellerData,
  saveArtistSettings,
  saveEsignApiKey,
  savePlatformSettings,
} from "./index.ts";
import { formerSellersOf } from "./rules.ts";
import { readDocument } from "./store.ts";

const app = closeAfterFile(await testApp());

test("returns only brand, logo, support address, legal pages, currency and deposit share to all pages", async () => {
  const values = { supportEmail: "doorkeeper@example.test", primaryColor: "#00C853", depositPercent: 40 };
  await app.database.transaction((tx) =>
    saveEsignApiKey(tx, app.services.keys, { service: "docuseal", apiKey: "a-very-secret-key" }, null),
  );
  await app.database.transaction((tx) => savePlatformSettings(tx, { values, version: 1, by: null }));
  const { status, body } = await app.json("/api/settings/public");
  expect(status).toBe(200);
  expect(body).toEqual({
    primaryColor: "#00c853",
    logoUrl: "",
    supportEmail: "doorkeeper@example.test",
    legalPages: [],
    currency: "usd",
    depositPercent: 40,
    timeZone: "America/New_York",
    demo: true,
    demoAccounts: false,
    singleSignOn: null,
    passkeyHost: "localhost",
    clockAheadMs: 0,
  });
});

test("reports demo accounts only if the demo market was seeded", async () => {
  const named = async (env: Record<string, string>) => {
    await using other = await testApp({ env, beside: app });
    return (await other.json("/api/settings/public")).body["demoAccounts"];
  };
  expect(await named({ SEED: "demo" })).toBe(true);
  expect(await named({ SEED: "none" })).toBe(false);
  expect(await named({ DEMO: "0", SEED: "none", PUBLIC_URL: "https://stagedoor.example" })).toBe(false);
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

/** Seller data belongs to a user: the next owner of a profile does not sell under the former owner's name and tax number. */
describe("removeSellerData", () => {
  const seller = {
    legalName: "Mira Lind",
    legalAddress: "1 Quay Street",
    taxId: "DE 123",
    taxLabel: "MwSt",
    taxBps: 1_900,
  };
  const at = app.clock.now();
  const formerOf = async (id: string) => formerSellersOf((await readDocument(app.database.db, "artist", id)).value);
  const noSeller = { legalName: "", legalAddress: "", taxId: "", taxLabel: "VAT", taxBps: 0 };

  async function selling() {
    const user = await app.make.user({ role: "artist" });
    const artist = await app.make.artist({ userId: user.id });
    const values = { ...seller, minimumNotice: 9 };
    await app.database.transaction((tx) => saveArtistSettings(tx, artist.id, { values, version: 0, by: user.id, at }));
    expect(await artistSettings(app.database.db, artist.id)).toMatchObject(values);
    expect(await formerOf(artist.id)).toMatchObject([{ legalName: "", until: at.toISOString() }]);
    return { user, artist };
  }

  test("removes seller name, address and tax of an owner who deletes the account, and no other setting", async () => {
    const { user, artist } = await selling();
    const headers = await app.signIn(user);
    const gone = await app.request("/api/me/delete", { method: "POST", headers, body: { password: testPassword } });
    expect(gone.status).toBe(200);
    await app.settle();
    expect(await artistSettings(app.database.db, artist.id)).toMatchObject({ ...noSeller, minimumNotice: 9 });
    expect(await formerOf(artist.id)).toEqual([]);
  });

  test("does nothing for a profile without settings", async () => {
    const artist = await app.make.artist();
    await app.database.transaction((tx) => removeSellerData(tx, artist.id));
    expect(await artistSettings(app.database.db, artist.id)).toMatchObject(noSeller);
  });
});
