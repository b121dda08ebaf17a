/** The handlers of the settings module. */
import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services.ts";
import { record } from "#activity/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { publicSettings, settingsApi } from "./api.ts";
import {
  findEsignApiKey,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
  platformSettings,
  read,
} from "./settings.ts";
import { type EsignProvider, esignProviderNames, esignProviders } from "./rules.ts";
import { releaseLogo, requireLogo } from "./logo/logo.ts";
import { describeChanges } from "./changes.rules.ts";
import { platformOwner } from "./store.ts";
import { hasContractTemplate, openAtServices, platformDocumentOf } from "./views.ts";
import { bookingDefaultsOf } from "./booking-defaults.rules.ts";

const on = implement(settingsApi).$context<Context>();

/** Refuses the id of a template that does not exist; empty is the one that ships. */
async function requireTemplate(tx: Tx, id: string | undefined): Promise<void> {
  if (!id || (await hasContractTemplate(tx, id))) return;
  const message = "There is no contract template of this name.";
  throw new Problem("invalid", message, { data: { fields: [{ field: "values.defaultTemplateId", message }] } });
}

/** A key that has let nothing be fetched for so long does not work any more, and may be replaced. */
const silentMinutes = 30;

const stillOpen = ({ provider, count }: { provider: string; count: number }) => {
  const name = esignProviders.find((one) => one === provider);
  const contracts = count === 1 ? "1 contract is" : `${count} contracts are`;
  return new Problem(
    "conflict",
    `${contracts} still open at ${name ? esignProviderNames[name] : provider}. Change the service or its key once they are signed or have ended.`,
  );
};

/** Refuses a service that is not set up on this server, and to leave contracts behind that are open at another one. */
async function requireService(tx: Tx, { config }: PlatformServices, chosen: EsignProvider): Promise<void> {
  if (chosen === "docusign" && config.esign.docusign === undefined) {
    const message = "DocuSign is not set up on this server.";
    throw new Problem("invalid", message, { data: { fields: [{ field: "values.esignProvider", message }] } });
  }
  // Where the environment names the service, the setting changes nothing.
  if (config.esign.provider !== undefined) return;
  const elsewhere = (await openAtServices(tx)).find(({ provider }) => provider !== chosen);
  if (elsewhere) throw stillOpen(elsewhere);
}

/**
 * Refuses another key while contracts are open that need the stored one: they are perhaps unknown to its account. A key with
 * which nothing has been fetched for half an hour does not work any more, and may be replaced.
 */
async function requireReplaceableKey(tx: Tx, services: PlatformServices, key: string): Promise<void> {
  const stored = await findEsignApiKey(tx, services.keys);
  if (stored === undefined || stored === key || services.config.esign.apiKey !== undefined) return;
  const since = new Date(services.clock.now().getTime() - silentMinutes * 60_000);
  const needed = (await openAtServices(tx)).find(({ lookedAt }) => lookedAt !== null && lookedAt > since);
  if (needed) throw stillOpen(needed);
}

export const settingsRoutes = on.router({
  publicSettings: on.publicSettings.handler(async ({ context }) => {
    const { clock, realClock, config } = context.services;
    const { demo, seed } = config;
    return publicSettings.parse({
      ...(await platformSettings(context.db)),
      demo,
      demoAccounts: demo && seed === "demo",
      clockAheadMs: Math.round((clock.now().getTime() - realClock.now().getTime()) / 1_000) * 1_000,
    });
  }),
  bookingDefaults: on.bookingDefaults.handler(async ({ context }) => {
    const { userId, role } = requireActor(context);
    if (role !== "promoter") return { clientName: null, clientPhone: null, duration: null };
    return bookingDefaultsOf((await read(context.db, "promoter", userId)).values);
  }),
  platform: {
    read: on.platform.read.handler(({ context }) => platformDocumentOf(context.db, context.services.keys)),
    save: on.platform.save.handler(({ input, context }) => {
      const { userId } = requireActor(context);
      return context.transaction(async (tx) => {
        await requireTemplate(tx, input.values.defaultTemplateId);
        const before = (await read(tx, "platform", platformOwner)).values;
        const { esignProvider } = input.values;
        if (esignProvider && esignProvider !== before.esignProvider)
          await requireService(tx, context.services, esignProvider);
        const { logoUrl } = input.values;
        if (logoUrl !== undefined && logoUrl !== before.logoUrl) await requireLogo(context.services, logoUrl);
        const saved = await savePlatformSettings(tx, { ...input, by: userId });
        await releaseLogo(tx, before.logoUrl, saved.values.logoUrl);
        const changes = describeChanges(before, saved.values);
        if (Object.keys(changes).length > 0)
          await record(tx, {
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
        await requireReplaceableKey(tx, context.services, input.api_key);
        await saveEsignApiKey(tx, keys, input.api_key, userId);
        const what = input.api_key === "" ? "was removed" : "was replaced";
        await record(tx, { type: "system", message: `The key of the signing service ${what}`, actorId: userId });
        await broadcastChange(tx, "settings", { admins: true });
        return platformDocumentOf(tx, keys);
      });
    }),
  },
  promoter: {
    read: on.promoter.read.handler(({ context }) => read(context.db, "promoter", requireActor(context).userId)),
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
