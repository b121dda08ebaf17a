/** Which service presents contracts: the environment's choice before the admin's setting. */
import type { PlatformServices } from "#platform/services/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { findEsignApiKey, platformSettings } from "#settings/index.ts";
import { type EsignProvider, esignProviders } from "#settings/rules.ts";
import { docuseal } from "../adapters/docuseal.ts";
import { docusign } from "../adapters/docusign.ts";
import { embeddedSigning } from "../adapters/embedded.ts";
import type { EsignAdapter } from "../providers/provider.ts";

export const chosenProvider = async (
  reader: Reader,
  { config }: Pick<PlatformServices, "config">,
): Promise<EsignProvider> => config.esign.provider ?? (await platformSettings(reader)).esignProvider;

/** The key in the environment, which is that of the service that the environment names, or of whichever is chosen. */
export function keyFromEnvironment(
  { config }: Pick<PlatformServices, "config">,
  name: EsignProvider,
): string | undefined {
  const { apiKey, provider } = config.esign;
  return provider === undefined || provider === "embedded" || provider === name ? apiKey : undefined;
}

export async function esignAdapter(services: PlatformServices, name: EsignProvider): Promise<EsignAdapter> {
  const { config, database, keys, realClock } = services;
  if (name === "embedded") return embeddedSigning({ database, keys });
  const { apiUrl, webhookSecret } = config.esign;
  const apiKey = keyFromEnvironment(services, name) ?? (await findEsignApiKey(database.db, keys, name));
  if (name === "docuseal") return docuseal({ apiKey, apiUrl, webhookSecret });
  return docusign({
    integrationKey: apiKey,
    webhookSecret,
    account: config.esign.docusign,
    // DocuSign checks the time of our tokens, and its days are real ones.
    now: () => realClock.now(),
  });
}

/** The adapter that a stored contract names. Throws for a name that this version does not know. */
export async function adapterOf(services: PlatformServices, provider: string): Promise<EsignAdapter> {
  const name = esignProviders.find((one) => one === provider);
  if (!name) throw new Error(`contracts of the provider "${provider}" are not known`);
  return esignAdapter(services, name);
}

/** What the admin may choose now; DocuSign needs more than a key, which only the environment has. */
export const availableProviders = ({ config }: Pick<PlatformServices, "config">): EsignProvider[] =>
  esignProviders.filter((name) => name !== "docusign" || config.esign.docusign !== undefined);
