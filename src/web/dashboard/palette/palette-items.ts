import { posterUrl } from "#artists/rules.ts";
import { paths, searchedList } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import type { SearchHits } from "#reports/search/search.api.ts";
import type { Role } from "#users/rules.ts";
import { formatWeekdayDate } from "../../lib/format/dates.ts";

type SectionStyle = Readonly<{
  id: string;
  label: string;
  detail?: string;
  picture?: string;
  status?: string;
}>;
export type PaletteItem = SectionStyle & (Readonly<{ to: string }> | Readonly<{ run(): void }>);
type PaletteGroup = Readonly<{ title: string; items: readonly PaletteItem[] }>;

export type Screen = Readonly<{ label: string; to: string }>;
export type Action = Readonly<{ label: string; detail?: string; run(): void }>;

const searchable: ReadonlySet<string> = new Set(["Bookings", "Artists", "Contracts", "Payments", "Users", "Logs"]);

const maxLists = 3;
const listSearchPrefix = "list-";

/** A link to a list with the same search is not a hit. */
export const isHit = ({ id }: PaletteItem): boolean => !id.startsWith(listSearchPrefix);

const bookingPage: Record<Role, (id: string) => string> = {
  admin: paths.admin.booking,
  artist: paths.artistArea.booking,
  promoter: paths.promoterArea.booking,
};

type Offer = Readonly<{
  text: string;
  role: Role;
  screens: readonly Screen[];
  actions: readonly Action[];
  here?: readonly PaletteItem[];
  hits: SearchHits | undefined;
}>;

export function groupsFor({ text, role, screens, actions, here = [], hits }: Offer): PaletteGroup[] {
  const query = text.toLowerCase();
  const matches = (label: string) => query === "" || label.toLowerCase().includes(query);
  const groups: PaletteGroup[] = [
    { title: "This booking", items: here.filter(({ label }) => matches(label)) },
    { title: "Screens", items: screens.filter(({ label }) => matches(label)).map(asScreen) },
    { title: "Bookings", items: (hits?.bookings ?? []).map((hit) => asBooking(hit, role)) },
    { title: "Artists", items: (hits?.artists ?? []).map((hit) => asArtist(hit)) },
    { title: "Users", items: (hits?.users ?? []).map(asPerson) },
    {
      title: "Actions",
      items: actions.filter(({ label }) => matches(label)).map((action) => ({ id: `act-${action.label}`, ...action })),
    },
    { title: "Lists", items: text.length < 2 ? [] : listSearches(screens, text) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

const asScreen = ({ label, to }: Screen): PaletteItem => ({ id: `screen-${to}`, label, to });

const listSearches = (screens: readonly Screen[], text: string): PaletteItem[] =>
  screens
    .filter(({ label }) => searchable.has(label))
    .slice(0, maxLists)
    .map(({ label, to }) => ({
      id: `${listSearchPrefix}${to}`,
      label: `Search in ${label} for “${text}”`,
      to: searchedList(to, text),
    }));

/** The title names the other party, as the lists do. */
const asBooking = (hit: SearchHits["bookings"][number], role: Role): PaletteItem => ({
  id: `booking-${hit.id}`,
  label: `${role === "artist" ? hit.promoter_name : hit.artist.name}, ${formatWeekdayDate(hit.event_date)}`,
  detail: [hit.number, role === "artist" ? "" : hit.promoter_name, hit.venue_name].filter(Boolean).join(", "),
  picture: posterUrl(hit.artist, "mark"),
  status: hit.status,
  to: bookingPage[role](hit.id),
});

const asArtist = (hit: SearchHits["artists"][number]): PaletteItem => ({
  id: `artist-${hit.slug}`,
  label: hit.name,
  detail: capitalized([hit.genre, hit.location, stateOf(hit)].filter(Boolean).join(", ")),
  picture: posterUrl(hit, "mark"),
  // An inactive or hidden artist has no public page.
  to: stateOf(hit) ? searchedList(paths.admin.bookings, hit.name) : paths.artist(hit.slug),
});

const stateOf = (hit: SearchHits["artists"][number]) => (hit.is_active ? (hit.is_public ? "" : "hidden") : "inactive");

const asPerson = (hit: SearchHits["users"][number]): PaletteItem => ({
  id: `person-${hit.id}`,
  label: hit.name || hit.email,
  detail: `${hit.email}, ${hit.role}`,
  to: searchedList(paths.admin.users, hit.email),
});

/** Returns the id of the best hit in any group, which is selected first. A booking number, or a part of it with a digit, outranks every name. */
export function bestOf(groups: readonly PaletteGroup[], text: string): string | undefined {
  const query = text.toLowerCase();
  const number = query.replace(/^sd[- ]?(?=.)/, "");
  let best: { id: string; score: number } | undefined;
  for (const { items } of groups)
    for (const { id, label, detail = "" } of items) {
      const score = scoreOf(label.toLowerCase(), detail.toLowerCase(), query, number);
      if (!best || score > best.score) best = { id, score };
    }
  return best?.id;
}

/** Shorter parts match too many numbers. */
const minNumberPartLength = 3;

function scoreOf(label: string, detail: string, query: string, number: string): number {
  if (query === "") return 0;
  const isNumber = number.length >= minNumberPartLength && /^sd-(\w{6}),/.exec(detail)?.[1]?.includes(number) === true;
  if (isNumber && (number.length === 6 || number !== query || /\d/.test(number))) return 5;
  if (label.startsWith(query)) return 4;
  if (isNumber) return 3;
  if (label.includes(` ${query}`)) return 2;
  return label.includes(query) || detail.includes(query) ? 1 : 0;
}

export function markedParts(label: string, text: string): readonly [string, string, string] {
  const at = text === "" ? -1 : label.toLowerCase().indexOf(text.toLowerCase());
  return at < 0
    ? [label, "", ""]
    : [label.slice(0, at), label.slice(at, at + text.length), label.slice(at + text.length)];
}
