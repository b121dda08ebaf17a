import anyAscii from "any-ascii";
import { plainName } from "#platform/security/plain-name.rules.ts";
import { searchTerm } from "./rules.ts";

/** Not in rules.ts, which the landing page loads. */
export const cleanName = (text: string): string => searchTerm(plainName(text));

const reserved = new Set(
  `about account admin api app art artist artists assets auth book booking bookings compare contact count dashboard docs edit featured
  health help login logout me media new null openapi overview pay payouts profile promoter search settings sign-in sign-up signin signup static storage undefined`.split(
    /\s+/,
  ),
);

const maxLength = 80;

/** Returns the slug of a name: lower case, hyphens for whitespace, Latin letters. "artist" if no letter or digit is left. */
export function slugOf(name: string): string {
  const latin = anyAscii(name.normalize("NFKC").toLowerCase()).toLowerCase();
  const slug = latin
    .replace(/['’`]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "artist" : slug;
}

export const mayBeSlug = (slug: string): boolean => !reserved.has(slug) && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug);

export function freeSlug(name: string, usedSlugs: ReadonlySet<string>): string {
  const slug = slugOf(name);
  if (mayBeSlug(slug) && !usedSlugs.has(slug)) return slug;
  for (let suffix = 2; ; suffix++) if (!usedSlugs.has(`${slug}-${suffix}`)) return `${slug}-${suffix}`;
}
