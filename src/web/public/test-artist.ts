/** An artist of a list without photo, sample and reviews, with the given fields changed. */
export const listedArtist = <More extends object>(name: string, more?: More) => ({
  id: name,
  slug: name.toLowerCase(),
  name,
  genre: "jazz" as const,
  location: "Austin, Texas",
  photo_url: null,
  photo_image: null,
  picture_url: `/art/${name}/poster.svg`,
  base_rate: 90_000,
  top_rate: null,
  currency: "usd",
  price_confirmed: true,
  rating: 0,
  review_count: 0,
  sample: null,
  ...(more as More),
});
