import type { ArtistSettings } from "#settings/rules.ts";

export const eventKinds = ["corporate", "private", "wedding"] as const;
export type EventKind = (typeof eventKinds)[number];

const patterns: readonly (readonly [EventKind, RegExp])[] = [
  ["wedding", /\b(wedding|marriage|bridal)/i],
  ["corporate", /\b(corporate|company|business)\b/i],
  ["private", /\b(private|birthday|anniversary|home (concert|party))\b/i],
];

/** Returns the kind of an event type such as "Private party". Undefined for one that no artist can decline, such as a festival. */
export const eventKindOf = (eventType: string): EventKind | undefined =>
  patterns.find(([, words]) => words.test(eventType))?.[0];

export const acceptingSetting = {
  corporate: "acceptCorporateEvents",
  private: "acceptPrivateEvents",
  wedding: "acceptWeddingEvents",
} as const satisfies Record<EventKind, keyof ArtistSettings>;

export function declinedKindOf(eventType: string | undefined, settings: ArtistSettings): EventKind | null {
  const kind = eventType === undefined ? undefined : eventKindOf(eventType);
  return kind && !settings[acceptingSetting[kind]] ? kind : null;
}

export const eventKindNames: Record<EventKind, string> = {
  corporate: "corporate events",
  private: "private events",
  wedding: "weddings",
};
