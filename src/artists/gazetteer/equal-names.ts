type Town = Readonly<{ name: string; lat: number; lon: number; country: string; people: number }>;

/** Thousands of people of the towns that others are near to, the best known first. */
const sizes = [100, 50, 20, 10];

/** Below this distance (10 miles), two towns with one name are one town listed twice. */
const sameTownDegrees = 0.15;

/** Returns the distance in degrees of latitude, precise enough to compare towns of one country. */
const degreesBetween = (one: Town, other: Town): number =>
  Math.hypot(one.lat - other.lat, (one.lon - other.lon) * Math.cos((one.lat * Math.PI) / 180));

/** Returns "Newport (near Cardiff), United Kingdom" for each town whose name another town of its region has. */
export function distinctNames<Listed extends Town>(towns: readonly Listed[]): Map<Listed, string> {
  const found = new Map<Listed, string>();
  for (const equal of Map.groupBy(towns, ({ name }) => name).values()) {
    const isRepeated = equal.some((one, at) =>
      equal.slice(at + 1).some((other) => degreesBetween(one, other) < sameTownDegrees),
    );
    if (equal.length === 1 || isRepeated) continue;
    const parts = neighborsOf(equal, towns) ?? equal.map(({ lat }) => `latitude ${lat}`);
    for (const [at, town] of equal.entries()) found.set(town, town.name.replace(",", ` (${parts[at]}),`));
  }
  return found;
}

/** Returns for each town the nearest larger one. Undefined if two have the same one. */
function neighborsOf(equal: readonly Town[], towns: readonly Town[]): string[] | undefined {
  for (const size of sizes) {
    const near = equal.map((town) => `near ${nearestOf(town, towns, size)}`);
    if (new Set(near).size === equal.length) return near;
  }
  return undefined;
}

function nearestOf(town: Town, towns: readonly Town[], size: number): string {
  let nearest = { name: "", distance: Number.POSITIVE_INFINITY };
  for (const other of towns) {
    if (other.country !== town.country || other.people < size || other.name === town.name) continue;
    const distance = degreesBetween(town, other);
    if (distance < nearest.distance) nearest = { name: other.name, distance };
  }
  return nearest.name.split(",")[0] ?? "";
}

/** Returns the name without what distinguishes it from an equal one, as older versions stored it. */
export const sharedName = (name: string): string => name.replace(/ \((near|latitude) [^)]+\)/, "");
