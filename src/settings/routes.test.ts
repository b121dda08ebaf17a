import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, testApp } from "#test/test-app.ts";
import { saveEsignApiKey, savePlatformSettings } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => app.close());

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
