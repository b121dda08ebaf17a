/** Chooses the signing service: the environment before the admin's setting. */

import { ConfigError } from "#platform/config.ts";
import type { Reader } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { type EsignProvider, esignProviders, type KeyedService } from "#settings/choices.rules.ts";
import { findEsignApiKey, platformSettings } from "#settings/index.ts";
import { docuseal } from "../adapters/docuseal.ts";
import { docusign } from "../adapters/docusign.ts";
import { embeddedSigning } from "../adapters/embedded.ts";
import type { EsignAdapter, SigningService } from "../providers/provider.ts";

export const chosenProvider = async (reader: Reader, { config }: Pick<PlatformServices, "config">) =>
  config.esign.provider ?? (await platformSettings(reader)).esignProvider;

/** Returns the key of a service: the environment's for the chosen one. Another one, at which contracts are still open, has its own in the settings. */
async function apiKeyOf(services: PlatformServices, name: KeyedService): Promise<string | undefined> {
  const { database, config, keys } = services;
  const { apiKey, provider } = config.esign;
  const chosen = await chosenProvider(database.db, services);
  const isForName = provider === undefined || provider === "embedded" || provider === name;
  const fromEnvironment = isForName ? apiKey : undefined;
  if (fromEnvironment !== undefined && chosen === name) return fromEnvironment;
  return (await findEsignApiKey(database.db, keys, name)) ?? fromEnvironment;
}

export async function esignAdapter(services: PlatformServices, name: EsignProvider): Promise<EsignAdapter> {
  const adapter = await adapterNamed(services, name);
  return { ...adapter, test: () => testWithSeal(adapter, services) };
}

/** Tests the service and the seal, because every signed copy needs both. */
async function testWithSeal(adapter: EsignAdapter, services: PlatformServices): ReturnType<EsignAdapter["test"]> {
  const [response, seal] = await Promise.all([adapter.test(), reportSeal(services)]);
  return response.ok && seal.ok
    ? { ok: true, message: `${response.message} ${seal.message}` }
    : response.ok
      ? seal
      : response;
}

async function reportSeal(services: PlatformServices): ReturnType<EsignAdapter["test"]> {
  try {
    const { testSeal } = await import("../seal/test-seal.ts");
    const { fault, endsOn } = await testSeal(services);
    if (fault !== null) return { ok: false, message: `A sealed document is not valid: ${fault}` };
    return { ok: true, message: `A sealed document was made and verified. Its certificate is valid until ${endsOn}.` };
  } catch (error) {
    if (error instanceof ConfigError) return { ok: false, message: error.message };
    throw error;
  }
}

async function adapterNamed(services: PlatformServices, name: EsignProvider): Promise<EsignAdapter> {
  const { config, database, keys, realClock } = services;
  if (name === "embedded") return embeddedSigning({ database, keys });
  const { apiUrl, webhookSecret } = config.esign;
  const apiKey = await apiKeyOf(services, name);
  if (name === "docuseal") return docuseal({ apiKey, apiUrl, webhookSecret });
  return docusign({
    integrationKey: apiKey,
    webhookSecret,
    account: config.esign.docusign,
    // DocuSign checks the time of our tokens, and its days are real ones.
    now: () => realClock.now(),
  });
}

export async function adapterOf(services: PlatformServices, provider: string): Promise<EsignAdapter> {
  const name = esignProviders.find((one) => one === provider);
  if (!name) throw new Error(`contracts of the provider "${provider}" are not known`);
  return esignAdapter(services, name);
}

export async function signingServiceOf(services: PlatformServices, provider: string): Promise<SigningService> {
  const adapter = await adapterOf(services, provider);
  if (!adapter.outside) throw new Error("contracts that are signed on this server are at no service");
  return adapter;
}

/** Returns the admin's choices. DocuSign needs more than a key, which only the environment has. */
export const availableProviders = ({ config }: Pick<PlatformServices, "config">): EsignProvider[] =>
  esignProviders.filter((name) => name !== "docusign" || config.esign.docusign !== undefined);
