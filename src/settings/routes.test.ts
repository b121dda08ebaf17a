import { afterAll, beforeAll, expect, test } from "vitest";
import { type World, world } from "#test/world.ts";
import { saveEsignApiKey, savePlatformSettings } from "./index.ts";

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(async () => w.close());

test("every page may know brand, logo, support address, currency and deposit share as they stand now, and no more", async () => {
  const values = { supportEmail: "doorkeeper@example.test", primaryColor: "#00C853", depositPercent: 40 };
  await w.database.transaction((tx) => saveEsignApiKey(tx, w.services.keys, "a-very-secret-key", null));
  await w.database.transaction((tx) => savePlatformSettings(tx, { values, version: 1, by: null }));
  const answer = await w.request("/api/settings/public");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    primaryColor: "#00c853",
    logoUrl: "",
    supportEmail: "doorkeeper@example.test",
    currency: "usd",
    depositPercent: 40,
    timeZone: "America/New_York",
    demo: true,
  });
});
