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
  /(\b(ave|avenue|blvd|boulevard|chemin|court|ct|dr|drive|lane|ln|rd|road|rue|calle|via|st|str|street|way|weg)\b|(stra(ß|ss)e|str)\b|gasse\b|allee\b)/i;
const homes = /\b(apartment|apt|backyard|flat|garden|home|family|house|residence|villa|private|our|my)\b/i;

/** Returns the name before the first comma, unless it can be an address or a home. The form has one field for both. */
function venueIn(text: string, town: string): string | null {
  const [name = "", ...rest] = text.split(/[,;\n\r]/).map((part) => part.trim());
  const isAddress = /\d/.test(name) || streets.test(name) || homes.test(name);
  return name === "" || rest.length === 0 || isAddress || name.length > 60 || name === town ? null : name;
}
