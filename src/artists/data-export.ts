/** Which columns of this module's tables leave the installation. */
import { listTable } from "#platform/data-export.ts";

export const artistsDataLists = [
  listTable("artists", {
    rows: { userId: ["user_id"] },
    exported: [
      "id",
      "user_id",
      "slug",
      "name",
      "genre",
      "bio",
      "photo_url",
      "video_url",
      "base_rate",
      "top_rate",
      "is_active",
      "is_public",
      "years_experience",
      "location",
      "lat",
      "lon",
      "time_zone",
      "specialties",
      "equipment",
      "rating_x10",
      "review_count",
      "booked_count",
      "featured_rank",
      "poster_variant",
      "created_at",
      "updated_at",
    ],
    withheld: { version: "internal", name_text: "internal", price_order: "internal" },
  }),
  listTable("artist_media", {
    rows: { through: { artist_id: "artists" } },
    exported: ["id", "artist_id", "kind", "url", "caption", "position", "created_at"],
    withheld: {},
  }),
];
