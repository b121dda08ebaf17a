import { testExternalCalendars } from "#calendar/import/index.ts";
import { adapterOf, chosenProvider } from "#contracts/index.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { esignProviderNames } from "#settings/choices.rules.ts";
import { findEsignApiKey } from "#settings/index.ts";
import { testIdentity } from "#users/index.ts";
import type { Component } from "../component.ts";
import { countExternalCalendars } from "../recent-work.views.ts";
import { ComponentFailure } from "../rules.ts";

export const cards: Component = {
  inUse: ({ gateway }) => {
    if (!gateway) return undefined;
    if (gateway.name === "sandbox") return { product: "Local provider of the demo", mode: "embedded" };
    return { product: gateway.live ? "Stripe" : "Stripe, test mode", mode: "external" };
  },
  slowMs: 3_000,
  check: () => "Check the status page of the provider.",
  address: ({ config }) => (config.stripe ? "api.stripe.com" : "the local provider"),
  test: async ({ gateway }) => {
    if (!gateway) throw new ComponentFailure("Card payments are not set up.", "Set STRIPE_SECRET_KEY.");
    try {
      const currencies = await gateway.fetchSettlementCurrencies();
      const list = [...currencies].map((one) => one.toUpperCase()).toSorted();
      return `The account answers and receives ${list.join(", ")}.`;
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === "no_permission")
        throw new ComponentFailure("The key does not have all permissions.", error.message);
      if (error instanceof ProviderFailure && (error.kind === "wrong_key" || error.kind === "refused"))
        throw new ComponentFailure("The provider does not accept the key.", "Check STRIPE_SECRET_KEY.", error.message);
      throw error;
    }
  },
};

export const signing: Component = {
  inUse: async (services) => {
    const provider = await chosenProvider(services.database.db, services);
    return { product: esignProviderNames[provider], mode: provider === "embedded" ? "embedded" : "external" };
  },
  missing: async ({ database: { db }, config, keys }) => {
    const provider = await chosenProvider(db, { config });
    if (provider === "embedded" || config.esign.apiKey !== undefined) return undefined;
    return (await findEsignApiKey(db, keys, provider))
      ? undefined
      : `No API key is stored for ${esignProviderNames[provider]}. New contracts are not sent for now.`;
  },
  slowMs: 4_000,
  check: (_services, product) =>
    product === "" || product === esignProviderNames.embedded
      ? "Check the database."
      : "Check the signing service and its key in the settings.",
  address: ({ config }) => (config.esign.apiUrl ? new URL(config.esign.apiUrl).host : "the signing service"),
  test: async (services) => {
    const adapter = await adapterOf(services, await chosenProvider(services.database.db, services));
    const { ok, message } = await adapter.test();
    if (!ok && !adapter.outside) throw new ComponentFailure(message, "Check SECRETS_KEY, or secrets.key in DATA_DIR.");
    if (!ok) {
      const key = services.config.esign.apiKey ? "ESIGN_API_KEY" : "the key in the settings, under E-Sign,";
      throw new ComponentFailure(message, `Check ${key} and the connection to the service.`);
    }
    return message;
  },
};

export const calendars: Component = {
  inUse: async ({ database }) => {
    const { count } = await countExternalCalendars(database.db);
    return count === 0
      ? { product: "Our own feeds", mode: "embedded" }
      : { product: "Calendars of artists", mode: "external" };
  },
  slowMs: 4_000,
  check: () => "Check that this server can open https addresses on the internet.",
  address: () => "the calendars",
  test: async (services) => {
    const { tried, failed } = await testExternalCalendars(services);
    if (tried === 0) return "No artist has added another calendar. Our own feeds are generated on this server.";
    const readable = tried - failed.length;
    if (readable === 0)
      throw new ComponentFailure(
        tried === 1 ? "The only calendar cannot be read." : `None of ${tried} calendars can be read.`,
        "Check that this server can open https addresses on the internet.",
        failed.join(" "),
      );
    return `${readable} of ${tried} calendars were fetched and not stored.`;
  },
};

export const identity: Component = {
  inUse: ({ config: { gotrue } }) =>
    gotrue
      ? { product: `GoTrue, ${new URL(gotrue.url).host}`, mode: "external" }
      : { product: "Accounts of this server", mode: "embedded" },
  slowMs: 2_000,
  check: ({ config: { gotrue } }) =>
    gotrue ? "Check GOTRUE_URL and that the service is running." : "Check SECRETS_KEY, or secrets.key in DATA_DIR.",
  address: ({ config: { gotrue } }) => (gotrue ? new URL(gotrue.url).host : "the accounts"),
  test: (services) => testIdentity(services, "accounts"),
};

export const singleSignOn: Component = {
  inUse: ({ config: { oidc } }) =>
    oidc ? { product: `${oidc.label}, ${new URL(oidc.issuer).host}`, mode: "external" } : undefined,
  slowMs: 3_000,
  check: () => "Check OIDC_ISSUER and that the provider is running.",
  address: ({ config: { oidc } }) => (oidc ? new URL(oidc.issuer).host : "the provider"),
  test: async (services) => {
    if (!services.config.oidc) throw new ComponentFailure("Single sign-on is not set up.", "Set OIDC_ISSUER.");
    return testIdentity(services, "single sign-on");
  },
};
