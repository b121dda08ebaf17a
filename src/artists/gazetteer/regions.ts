import { normalizePlaceName } from "./aliases.ts";

/** A country ("CA") or a state with its code in the gazetteer ("CA.08"). */
export type Region = string;

const states = `al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|dc district of columbia|
fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|md maryland|
ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|
nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania|ri rhode island|
sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming`;

export const stateNames: ReadonlyMap<string, string> = new Map(
  states.split("|").map((entry): [string, string] => [
    entry.trim().slice(0, 2).toUpperCase(),
    entry
      .trim()
      .slice(3)
      .replace(/\b(?!of\b)\p{L}/gu, (letter) => letter.toUpperCase()),
  ]),
);

/** Other names of regions, and names that are used for several. The codes of other countries' states, such as Tijuana's "BC", name the country. */
const others = `CA.01=alberta|ab
CA.02=british columbia|bc
CA.03=manitoba|mb
CA.04=new brunswick|nb
CA.05=newfoundland|newfoundland and labrador|labrador|nl
CA.07=nova scotia|ns
CA.08=ontario|on|ont
CA.09=prince edward island|pei|pe
CA.10=quebec|qc|pq
CA.11=saskatchewan|sk
CA.12=yukon|yt
CA.13=northwest territories|nt
CA.14=nunavut|nu
AU.01=australian capital territory|act
AU.02=new south wales|nsw
AU.03=northern territory|nt
AU.04=queensland|qld
AU.05=south australia|sa
AU.06=tasmania|tas
AU.07=victoria|vic
AU.08=western australia|wa
GB=uk|great britain|britain
GB.ENG=england|bedfordshire|berkshire|buckinghamshire|cambridgeshire|cheshire|cornwall|county durham|cumbria|derbyshire|devon|dorset|essex
GB.ENG=east sussex|west sussex|sussex|gloucestershire|greater london|greater manchester|hampshire|herefordshire|hertfordshire|isle of wight|kent
GB.ENG=lancashire|leicestershire|lincolnshire|merseyside|norfolk|northamptonshire|northumberland|nottinghamshire|oxfordshire|rutland|shropshire
GB.ENG=somerset|staffordshire|suffolk|surrey|tyne and wear|warwickshire|west midlands|wiltshire|worcestershire
GB.ENG=yorkshire|east riding of yorkshire|east yorkshire|north yorkshire|south yorkshire|west yorkshire
GB.SCT=scotland|aberdeenshire|ayrshire|fife|lanarkshire|perthshire
GB.WLS=wales|carmarthenshire|ceredigion|glamorgan|gwent|gwynedd|pembrokeshire|powys
GB.NIR=northern ireland|ireland|county antrim|county armagh|county down|county fermanagh|county londonderry|county tyrone
GG=uk
GI=uk
IM=uk
JE=uk
US=usa|us|united states of america
US.CA=la
US.NJ=jersey
PR=usa|us|united states
GU=usa|us|united states
VI=usa|us|united states
AS=usa|us|united states
MP=usa|us|united states
AE=uae
AR=ba
BR=ac|al|am|ap|ba|ce|df|es|go|ma|mg|ms|mt|pa|pb|pe|pi|pr|rj|rn|ro|rr|rs|sc|se|sp|to
AT=osterreich
BA=bosnia and herzegovina|bosnia
CH=schweiz|suisse|be|bs|ge|lu|sg|ti|vd|zh
CI=ivory coast
CZ=czech republic
DE=deutschland
DK=danmark
ES=espana
FO=denmark
GL=denmark
GF=france
GP=france
MQ=france
NC=france
PF=france
RE=france
YT=france
HK=hong kong|china
IN=mh|mp|tg|tn
IT=italia
MM=myanmar|burma
MO=macao|macau|china
MX=bc|nl
NL=nederland|holland|nb|nh|ut|zh
PS=palestine
TR=turkey
TT=trinidad and tobago|trinidad
ZA=ec|gp|nl|wc`;

/** Returns the regions of a name or code in plain words: "georgia" is a state and a country, "ca" is California and Canada. */
export function regionNamesOf(countries: ReadonlySet<string>): ReadonlyMap<string, readonly Region[]> {
  const found = new Map<string, Region[]>();
  const add = (name: string, region: Region) => {
    const words = normalizePlaceName(name);
    found.set(words, [...(found.get(words) ?? []), region]);
  };
  const english = new Intl.DisplayNames(["en"], { type: "region" });
  for (const [code, name] of stateNames) {
    add(code, `US.${code}`);
    add(name, `US.${code}`);
  }
  for (const code of countries) {
    // "St" is read as "saint", in street names too.
    if (code !== "ST") add(code, code);
    add(english.of(code) ?? code, code);
  }
  for (const line of others.split("\n")) {
    const [region = "", names = ""] = line.split("=");
    for (const name of names.split("|")) add(name, region);
  }
  return found;
}
