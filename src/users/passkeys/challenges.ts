import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { type ChallengeOwner, type ChallengePurpose, insertPasskeyChallenge } from "./passkeys.store.ts";

/** Stores the challenge of these options for five minutes. Returns what the browser needs to respond. */
export async function openChallenge<T extends { challenge: string }>(
  services: PlatformServices,
  purpose: ChallengePurpose,
  owner: ChallengeOwner,
  options: T,
): Promise<{ id: string; options: T; expiresAt: Date }> {
  const expiresAt = new Date(services.realClock.now().getTime() + lifetimes.challenge * 1000);
  const row = { purpose, ...owner, challenge: options.challenge, expires_at: expiresAt };
  const id = await services.database.transaction((tx) => insertPasskeyChallenge(tx, row));
  return { id, options, expiresAt };
}
