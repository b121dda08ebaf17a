import { describe, expect, test, vi } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { currencies as offered } from "../rules.ts";

const app = closeAfterFile(await testApp());
const headers = await app.signIn(await app.make.user({ role: "admin" }));

const gateway = () => {
  if (!app.services.gateway) throw new Error("the test has no provider");
  return app.services.gateway;
};
const spyOnCurrencies = () => vi.spyOn(gateway(), "fetchSettlementCurrencies");
const read = async () =>
  (await (await app.request("/api/admin/settings", { headers })).json()) as {
    version: number;
    values: { currency: string };
  };
async function save(values: object) {
  const { version } = await read();
  const response = await app.request("/api/admin/settings", { method: "PATCH", headers, body: { values, version } });
  return { status: response.status, text: await response.text() };
}

test("fetchSettlementCurrencies returns the currencies of the account's balance", async () => {
  expect([...(await gateway().fetchSettlementCurrencies())].toSorted()).toEqual(Object.keys(offered).toSorted());
});

describe("saving the platform's currency", () => {
  test("refuses a currency that the account does not settle, and returns the next step", async () => {
    using currencies = spyOnCurrencies();
    currencies.mockResolvedValue(new Set(["usd", "gbp"]));
    const before = await read();
    const { status, text } = await save({ currency: "eur" });
    expect(status).toBe(400);
    expect(text).toContain("Add a bank account in EUR in the Stripe dashboard, or choose GBP or USD.");
    expect(text).toContain("values.currency");
    expect(await read()).toEqual(before);
  });

  test("accepts a currency that the account settles, and does not query the provider when it is unchanged", async () => {
    using currencies = spyOnCurrencies();
    currencies.mockResolvedValue(new Set(["usd", "gbp"]));
    expect((await save({ currency: "gbp" })).status).toBe(200);
    expect((await save({ currency: "usd" })).status).toBe(200);
    expect((await save({ currency: "usd", depositPercent: 40 })).status).toBe(200);
    expect(currencies).toHaveBeenCalledTimes(2);
  });

  test("refuses while the provider does not respond", async () => {
    using currencies = spyOnCurrencies();
    currencies.mockRejectedValue(new ProviderFailure("no_answer", "The provider is away."));
    const { status, text } = await save({ currency: "eur" });
    expect(status).toBe(400);
    expect(text).toContain("Try again in a moment.");
    expect((await read()).values.currency).toBe("usd");
  });
});
