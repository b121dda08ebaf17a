import { matchPlace } from "../gazetteer/index.ts";
import { townOf } from "../rules.ts";

type Show = Readonly<{ event_date: string; event_type: string; venue_name: string; venue_address: string }>;

type PublicShow = Readonly<{ date: string; town: string; venue: string | null }>;

/** Returns the public part of a show. Null: another kind of event, or a venue in an unknown town. */
export function publicShowOf(show: Show): PublicShow | null {
  const town = townOf(matchPlace(show.venue_address)?.name ?? "");
  if (!town || !publicKinds.test(show.event_type)) return null;
  return { date: show.event_date, town, venue: venueIn(show.venue_name, town) };
}

const publicKinds = /^(festival|concert|club night|charity event)$/i;

const streets =
  /(\b(ave|avenue|blvd|boulevard|chemin|court|ct|dr|drive|lane|ln|rd|road|rue|calle|via|st|str|street|way|weg)\b|str(a(ß|ss)e)?\b|gasse\b|allee\b)/i;
const homes =
  /\b(apartments?|apt|backyard|cabin|condo|family|farmhouse|flat|garden|home|house|loft|place|residence|villa|private|our|my)\b/i;
const contacts = /[@:/()]|\.\p{L}{2}/u;

/** Returns the name before the first comma, unless it can be an address, a home or a contact. The form has one field for both. */
function venueIn(text: string, town: string): string | null {
  const [name = "", ...rest] = text.split(/[,;\n\r]/).map((part) => part.trim());
  const isPrivate = [/\p{N}/u, streets, homes, contacts].some((words) => words.test(name.normalize("NFKC")));
  const isTown = name.toLowerCase() === town.toLowerCase();
  return name === "" || rest.length === 0 || isPrivate || name.length > 60 || isTown ? null : name;
}
