import { artistRow, freePosterVariant, freeSlug, posterSignature } from "#artists/index.ts";
import { isGenre, posterUrl } from "#artists/rules.ts";
import { artistLines } from "./artists-data.ts";
import { captions, endings, genreTexts } from "./genre-texts.ts";
import type { PlannedArtist } from "./market.ts";
import type { Random } from "./random.ts";

/** The artists of the front page, in its order. */
const featured = ["Electric Dreams", "The Blue Note Trio", "Copper Canyon", "Ruby Castellano"];
/** Inactive, because an admin must see both states. */
const inactive = new Set(["Marquee Hearts", "Theo & the Tall Ships", "Nine Mile Stomp"]);

/** Makes one artist of each line, with a free slug, a town from the gazetteer, and texts of the genre. */
export function planArtists(random: Random): PlannedArtist[] {
  const taken = new Set<string>();
  const posters = new Set<string>();
  return artistLines.map((line) => {
    const slug = freeSlug(line.name, taken);
    taken.add(slug);
    const genre = isGenre(line.genre) ? line.genre : "other";
    const texts = genreTexts[genre];
    const rank = featured.indexOf(line.name);
    const row = artistRow({
      name: line.name,
      genre,
      bio: `${line.opening} ${random.pick(texts.middles)} ${random.pick(endings)}`,
      baseRate: line.baseRate,
      topRate: line.topRate,
      isActive: !inactive.has(line.name),
      yearsExperience: line.years,
      location: line.location,
      specialties: random.sample(texts.specialties, slug === "electric-dreams" ? 6 : random.between(3, 5)),
      equipment: random.sample(texts.equipment, slug === "electric-dreams" ? 6 : random.between(3, 4)),
      featuredRank: rank < 0 ? null : rank + 1,
    });
    const variant = freePosterVariant({ slug, genre }, posters);
    posters.add(posterSignature({ slug, genre }, variant));
    return {
      place: line.location,
      row: { ...row, poster_variant: variant, id: random.id(), slug, rating_x10: 0, review_count: 0, booked_count: 0 },
    };
  });
}

/** Adds three to six drawn stills to each portfolio. */
export function planMedia(artists: readonly PlannedArtist[], random: Random) {
  return artists.flatMap(({ row }) => {
    const titles = random.sample(captions, row.slug === "electric-dreams" ? 6 : random.between(3, 5));
    const stills = ["still-1", "still-2", "still-3", "still-4", "still-5", "still-6"] as const;
    return titles.map((caption, k) => ({
      id: random.id(),
      artist_id: row.id,
      kind: "photo" as const,
      url: posterUrl(row, stills[k]),
      caption,
      position: k,
    }));
  });
}
