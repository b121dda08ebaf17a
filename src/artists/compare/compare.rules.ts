export const maxCompared = 4;

/** More than are compared, because some artists of a shared link may have closed since. */
const maxNamed = 12;

export function namedSlugs(text: string | null | undefined): string[] {
  const slugs = (text ?? "").split(",").filter((slug) => /^[a-z0-9-]{1,100}$/.test(slug));
  return [...new Set(slugs)].slice(0, maxNamed);
}

export const comparedSlugs = (text: string | null | undefined): string[] => namedSlugs(text).slice(0, maxCompared);

/** Undefined for a tie or with fewer than two values to compare. */
export function bestOf(values: readonly (number | undefined)[], best: "least" | "most"): number | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return undefined;
  const wanted = best === "least" ? Math.min(...known) : Math.max(...known);
  const first = values.indexOf(wanted);
  return values.lastIndexOf(wanted) === first ? first : undefined;
}
