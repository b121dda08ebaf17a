import { expect, test } from "vitest";
import { ConfigError } from "#platform/config.ts";
import { testApp } from "#test/test-app.ts";

test("a demo with payments of the sandbox does not start with a key of the card provider", async () => {
  await using before = await testApp();
  const { database, dataDir, clock } = before;
  const start = (env: Record<string, string>) => testApp({ env, beside: { database, dataDir, clock } });
  const key = { STRIPE_SECRET_KEY: "sk_test_x" };
  await (await start(key)).close();
  await before.make.booking({ status: "deposit_paid" });
  const refused = start(key);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow("this demo has payments of the sandbox");
  await (await start({ ...key, DEMO: "0" })).close();
  await (await start({})).close();
});
