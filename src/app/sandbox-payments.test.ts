import { expect, test } from "vitest";
import { ConfigError, readConfig } from "#platform/config.ts";
import { testApp } from "#test/test-app.ts";
import { warnOfTestPayments } from "./sandbox-payments.views.ts";

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

test("a live key warns of open bookings that were paid in test mode", async () => {
  await using app = await testApp();
  const warnings: unknown[] = [];
  const log = { ...app.services.log, warn: (about: object) => void warnings.push(about) } as typeof app.services.log;
  const start = (key: string) => {
    const config = readConfig({ DEMO: "0", ACCEPT_EMBEDDED_MONEY: "1", STRIPE_SECRET_KEY: key });
    return warnOfTestPayments({ ...app.services, config, log });
  };
  await app.make.booking({ status: "contract_signed", balancePaid: true });
  const { id } = await app.make.booking({ status: "deposit_paid" });
  await app.make.booking({ status: "initiated" });
  const payments = app.database.db.updateTable("payments").set({ provider: "stripe" });
  await payments.set({ provider_ref: "cs_test_a1" }).where("booking_id", "=", id).execute();
  await start("sk_test_x");
  expect(warnings).toEqual([]);
  await start("sk_live_x");
  expect(warnings).toEqual([{ bookings: 2 }]);
  await payments.set({ provider_ref: null }).execute();
  await start("sk_live_x");
  expect(warnings).toHaveLength(1);
});
