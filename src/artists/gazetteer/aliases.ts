/** Returns a text in lower case, with single spaces and without accents and signs. "St." is "saint". */
export function normalizePlaceName(text: string): string {
  const words = text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/['’.]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words
    .replace(/\bst\b/g, "saint")
    .replace(/\bft\b/g, "fort")
    .replace(/\bmt\b/g, "mount");
}

/** Other names of towns, by "plain name|country". */
export const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ["new york city|US", ["new york", "nyc", "manhattan"]],
  ["washington dc|US", ["washington", "dc"]],
  ["los angeles|US", ["la"]],
  ["newcastle upon tyne|GB", ["newcastle"]],
  ["kingston upon hull|GB", ["hull"]],
  ["munich|DE", ["munchen"]],
  ["koln|DE", ["cologne"]],
  ["cologne|DE", ["koln"]],
  ["vienna|AT", ["wien"]],
  ["milan|IT", ["milano"]],
  ["rome|IT", ["roma"]],
  ["turin|IT", ["torino"]],
  ["naples|IT", ["napoli"]],
  ["florence|IT", ["firenze"]],
  ["venice|IT", ["venezia"]],
  ["prague|CZ", ["praha"]],
  ["warsaw|PL", ["warszawa"]],
  ["lisbon|PT", ["lisboa"]],
  ["copenhagen|DK", ["kobenhavn"]],
  ["the hague|NL", ["den haag"]],
  ["geneve|CH", ["geneva"]],
  ["zurich|CH", ["zuerich"]],
]);
