import { expect, test } from "vitest";
import { saveEsignApiKey, savePlatformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { docusealDouble, docusealKey } from "#test/harness/esign/docuseal-double.ts";
import { testApp } from "#test/test-app.ts";
import { adapterOf } from "./provider-choice.ts";

const service = closeAfterFile(await docusealDouble(() => new Date()));
const { ESIGN_PROVIDER: _, ...env } = service.env;
const app = closeAfterFile(await testApp({ env: { ...env, ESIGN_API_KEY: "the-integration-key-of-docusign" } }));

test("a former service, at which contracts are still open, keeps its own key when the environment has one for another service", async () => {
  await app.database.transaction((tx) =>
    saveEsignApiKey(tx, app.services.keys, { service: "docuseal", apiKey: docusealKey }, null),
  );
  for (const [index, esignProvider] of (["docusign", "embedded"] as const).entries()) {
    const saved = { values: { esignProvider }, version: index + 1, by: null };
    await app.database.transaction((tx) => savePlatformSettings(tx, saved));
    const former = await adapterOf(app.services, "docuseal");
    expect(await former.test()).toMatchObject({ ok: true });
  }
});
