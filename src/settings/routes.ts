import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { requireSettlementCurrency } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { passkeyHost } from "#platform/security/passkey-host.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import { publicSettings, settingsApi } from "./api.ts";
import { type EsignProvider, esignProviderNames, type KeyedService } from "./choices.rules.ts";
import { legalLinks } from "./legal-pages.rules.ts";
import { releaseLogo, requireLogo } from "./logo/logo.ts";
import { type CurrencyChanged, platformOwner } from "./rules.ts";
import {
  changedSettings,
  findEsignApiKey,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
  platformSettings,
  readSettings,
} from "./settings.ts";
import { bookingDefaultsOf, hasContractTemplate, openContractsAtServices, platformDocumentOf } from "./views.ts";

const on = implement(settingsApi).$context<Context<Payments>>();

/** Throws if the id of a template does not exist. Empty is the product's template. */
async function requireTemplate(tx: Tx, id: string | undefined): Promise<void> {
  if (!id || (await hasContractTemplate(tx, id))) return;
  const message = "There is no contract template with this name.";
  throw invalid(message, { data: { fields: [{ field: "values.defaultTemplateId", message }] } });
}

const silentMinutes = 30;

/** Throws if the service is not set up here, or has no key. Open contracts of another service finish there with its key. */
async function requireService(tx: Tx, { config, keys }: PlatformServices, chosen: EsignProvider): Promise<void> {
  if (chosen === "embedded") return;
  const isSetUp = chosen !== "docusign" || config.esign.docusign !== undefined;
  const hasKey = config.esign.apiKey !== undefined || (await findEsignApiKey(tx, keys, chosen)) !== undefined;
  if (isSetUp && hasKey) return;
  const name = esignProviderNames[chosen];
  const message = isSetUp ? `Save the API key of ${name} first.` : `${name} is not set up on this server.`;
  throw invalid(message, { data: { fields: [{ field: "values.esignProvider", message }] } });
}

/** Throws if open contracts still need the stored key, unless nothing could be fetched with it for half an hour. */
async function requireReplaceableKey(
  tx: Tx,
  services: PlatformServices,
  { service, apiKey }: { service: KeyedService; apiKey: string },
): Promise<void> {
  const stored = await findEsignApiKey(tx, services.keys, service);
  if (stored === undefined || stored === apiKey || services.config.esign.apiKey !== undefined) return;
  const since = new Date(services.clock.now().getTime() - silentMinutes * minuteMs);
  const needed = (await openContractsAtServices(tx)).find(
    ({ provider, lastPolledAt }) => provider === service && lastPolledAt !== null && lastPolledAt > since,
  );
  if (!needed) return;
  const contracts = needed.count === 1 ? "1 contract is" : `${needed.count} contracts are`;
  throw conflict(
    `${contracts} still open at ${esignProviderNames[service]}. Change its key once they are signed or have ended.`,
  );
}

export const settingsRoutes = on.router({
  publicSettings: on.publicSettings.handler(async ({ context }) => {
    const { clock, realClock, config } = context.services;
    const { demo, seed, oidc } = config;
    const platform = await platformSettings(context.db);
    return publicSettings.parse({
      ...platform,
      legalPages: legalLinks(platform),
      demo,
      demoAccounts: demo && seed === "demo",
      singleSignOn: oidc?.label ?? null,
      passkeyHost: passkeyHost(config),
      clockAheadMs: Math.round((clock.now().getTime() - realClock.now().getTime()) / 1_000) * 1_000,
    });
  }),
  bookingDefaults: on.bookingDefaults.handler(async ({ context }) => {
    const { userId, role } = requireActor(context);
    if (role !== "promoter") return { clientName: null, clientPhone: null, duration: null };
    return bookingDefaultsOf((await readSettings(context.db, "promoter", userId)).values);
  }),
  platform: {
    read: on.platform.read.handler(({ context }) => platformDocumentOf(context.db, context.services.keys)),
    save: on.platform.save.handler(async ({ input, context }) => {
      const { userId } = requireActor(context);
      const { currency, logoUrl } = input.values;
      const current = await platformSettings(context.db);
      // Checked before the transaction, because storage and payment provider may be remote.
      if (logoUrl !== undefined && logoUrl !== current.logoUrl) await requireLogo(context.services, logoUrl);
      if (currency !== undefined && currency !== current.currency)
        await requireSettlementCurrency(context.services, currency);
      return context.transaction(async (tx) => {
        await requireTemplate(tx, input.values.defaultTemplateId);
        const before = (await readSettings(tx, "platform", platformOwner)).values;
        const { esignProvider } = input.values;
        if (esignProvider && esignProvider !== before.esignProvider)
          await requireService(tx, context.services, esignProvider);
        const saved = await savePlatformSettings(tx, {
          ...input,
          by: userId,
          at: context.services.clock.now(),
        });
        await releaseLogo(tx, before.logoUrl, saved.values.logoUrl);
        const changes = changedSettings(before, saved.values);
        const { currency: to } = saved.values;
        if (to !== before.currency)
          await publish(tx, "settings.currency_changed", { from: before.currency, to } satisfies CurrencyChanged);
        if (Object.keys(changes).length > 0)
          await recordActivity(tx, {
            type: "system",
            message: `The platform's settings were changed: ${Object.keys(changes).join(", ")}`,
            meta: changes,
            actorId: userId,
          });
        await broadcastChange(tx, "settings", { admins: true });
        return platformDocumentOf(tx, context.services.keys);
      });
    }),
    saveEsignKey: on.platform.saveEsignKey.handler(({ input, context }) => {
      const { userId } = requireActor(context);
      const { keys } = context.services;
      return context.transaction(async (tx) => {
        const { service, api_key: apiKey } = input;
        await requireReplaceableKey(tx, context.services, { service, apiKey });
        await saveEsignApiKey(tx, keys, { service, apiKey }, userId);
        const what = apiKey === "" ? "was removed" : "was replaced";
        const message = `The key of the signing service ${esignProviderNames[service]} ${what}`;
        await recordActivity(tx, { type: "system", message, actorId: userId });
        await broadcastChange(tx, "settings", { admins: true });
        return platformDocumentOf(tx, keys);
      });
    }),
  },
  promoter: {
    read: on.promoter.read.handler(({ context }) => readSettings(context.db, "promoter", requireActor(context).userId)),
    save: on.promoter.save.handler(({ input, context }) => {
      const { userId } = requireActor(context);
      return context.transaction(async (tx) => {
        const saved = await savePromoterSettings(tx, userId, { ...input, by: userId });
        await broadcastChange(tx, "settings", { userIds: [userId] });
        return saved;
      });
    }),
  },
});
