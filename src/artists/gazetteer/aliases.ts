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

const states = `al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|dc district of columbia|
fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|md maryland|
ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|
nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania|ri rhode island|
sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming`;

export const stateAliases: ReadonlyMap<string, string> = new Map(
  states.split("|").flatMap((entry) => {
    const code = entry.trim().slice(0, 2);
    return [
      [code === "mt" ? "mount" : code, code.toUpperCase()],
      [entry.trim().slice(3), code.toUpperCase()],
    ] as [string, string][];
  }),
);

const countryCodes = `AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ
DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KM KN KP
KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PR PS
PT PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VN VU WS XK
YE ZA ZM ZW`;

const more: [string, string][] = [
  ["uk", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["great britain", "GB"],
  ["northern ireland", "GB"],
  ["usa", "US"],
  ["us", "US"],
  ["united states of america", "US"],
  ["deutschland", "DE"],
  ["osterreich", "AT"],
  ["schweiz", "CH"],
  ["espana", "ES"],
  ["italia", "IT"],
  ["nederland", "NL"],
  ["holland", "NL"],
  ["czech republic", "CZ"],
];

let named: ReadonlyMap<string, string> | undefined;

/** By English and other common names, as plain words. "Georgia" is the American state. */
export function countryNames(): ReadonlyMap<string, string> {
  if (named) return named;
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  const own = countryCodes
    .split(/\s+/)
    .map((code): [string, string] => [normalizePlaceName(names.of(code) ?? code), code]);
  named = new Map([...own, ...more].filter(([words]) => !stateAliases.has(words)));
  return named;
}

/** Other names of towns, by "plain name|country". */
export const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ["new york city|US", ["new york", "nyc", "manhattan"]],
  ["washington dc|US", ["washington"]],
  ["los angeles|US", ["la"]],
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
