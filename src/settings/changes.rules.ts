const maxShownLength = 120;
const shown = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, maxShownLength) : value);

/** Returns only the differences, with long texts cut. Secrets are not settings and are never passed here. */
export function changedSettings(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, { before: unknown; after: unknown }> {
  const differing = Object.keys(after).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    differing.map((name) => [name, { before: shown(before[name]), after: shown(after[name]) }]),
  );
}
