type Position = Readonly<{ lat: number; lon: number }>;

export const earthRadiusMiles = 3_958.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export function milesBetween(one: Position, other: Position): number {
  const [from, to] = [radians(one.lat), radians(other.lat)];
  const half =
    Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(radians(other.lon - one.lon) / 2) ** 2;
  return Math.round(2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(half))));
}

export type Travel = { miles: number; radius: number };

/** Returns the distance to a venue outside the travel radius. Null inside it or if a place is unknown. The radius is advice. */
export function travelBeyond(venue: Position | null, artist: Partial<Position> | null, radius: number): Travel | null {
  if (!venue || artist?.lat === undefined || artist.lon === undefined) return null;
  const miles = milesBetween(venue, { lat: artist.lat, lon: artist.lon });
  return miles > radius ? { miles, radius } : null;
}
