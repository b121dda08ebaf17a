/** Seller data belongs to a user: the next owner of a profile does not sell under the former owner's name and tax number. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, testPassword, type TestApp } from "#test/test-app.ts";
import { artistSettings, removeSellerData, saveArtistSettings } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const seller = {
  legalName: "Mira Lind",
  legalAddress: "1 Quay Street",
  taxId: "DE 123",
  taxLabel: "MwSt",
  taxBps: 1_900,
};
const noSeller = { legalName: "", legalAddress: "", taxId: "", taxLabel: "VAT", taxBps: 0 };

async function selling() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id });
  const values = { ...seller, minimumNotice: 9 };
  await app.database.transaction((tx) => saveArtistSettings(tx, artist.id, { values, version: 0, by: user.id }));
  expect(await artistSettings(app.database.db, artist.id)).toMatchObject(values);
  return { user, artist };
}

test("removes seller name, address and tax of an owner who deletes the account, and no other setting", async () => {
  const { user, artist } = await selling();
  const headers = await app.signIn(user);
  const gone = await app.request("/api/me/delete", { method: "POST", headers, body: { password: testPassword } });
  expect(gone.status).toBe(200);
  await app.settle();
  expect(await artistSettings(app.database.db, artist.id)).toMatchObject({ ...noSeller, minimumNotice: 9 });
});

test("does nothing for a profile without settings", async () => {
  const artist = await app.make.artist();
  await app.database.transaction((tx) => removeSellerData(tx, artist.id));
  expect(await artistSettings(app.database.db, artist.id)).toMatchObject(noSeller);
});
