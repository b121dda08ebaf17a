import { afterAll, beforeAll, expect, test } from "vitest";
import { saveEsignApiKey, savePlatformSettings } from "#settings/index.ts";
import { docusealDouble, docusealKey } from "#test/harness/esign/docuseal-double.ts";
import type { ServiceDouble } from "#test/harness/esign/double.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { adapterOf } from "./provider-choice.ts";

let app: TestApp;
let service: ServiceDouble;
beforeAll(async () => {
  service = await docusealDouble(() => new Date());
  const { ESIGN_PROVIDER: _, ...env } = service.env;
  app = await testApp({ env: { ...env, ESIGN_API_KEY: "the-integration-key-of-docusign" } });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

test("a former service, at which contracts are still open, keeps its own key when the environment has one for the chosen service", async () => {
  await app.database.transaction(async (tx) => {
    await saveEsignApiKey(tx, app.services.keys, { service: "docuseal", apiKey: docusealKey }, null);
    await savePlatformSettings(tx, { values: { esignProvider: "docusign" }, version: 1, by: null });
  });
  const former = await adapterOf(app.services, "docuseal");
  expect(await former.test()).toMatchObject({ ok: true });
});
