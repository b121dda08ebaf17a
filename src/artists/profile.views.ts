import { type RawBuilder, sql } from "kysely";
import { joinNight } from "#calendar/index.ts";
import { firstRowOf, type Reader } from "#platform/db/index.ts";
import { policyOfArtist } from "#settings/policy-names.rules.ts";
import { withDefaults } from "#settings/rules.ts";
import type { ArtistProfile } from "./artist.api.ts";
import {
  cardColumns,
  type CardRow,
  sampleColumns,
  type StoredSample,
  toArtistCard,
  toArtistSample,
} from "./card.views.ts";
import { acceptingSetting, eventKinds } from "./nights/event-kinds.rules.ts";
import { publicShowOf } from "./public-shows/index.ts";

type Review = ArtistProfile["reviews"][number];

type ProfileRow = CardRow &
  Pick<
    ArtistProfile,
    | "bio"
    | "video_url"
    | "years_experience"
    | "specialties"
    | "equipment"
    | "time_zone"
    | "is_active"
    | "created_at"
    | "media"
    | "star_counts"
    | "taken"
    | "declined_kinds"
    | "requires_deposit"
    | "answers"
    | "contact"
  > & {
    samples: StoredSample[];
    reviews: (Omit<Review, "created_at" | "reply"> & {
      created_at: string;
      reply: { body: string; created_at: string } | null;
    })[];
    similar: CardRow[];
    shows: Parameters<typeof publicShowOf>[0][];
    own_settings: unknown;
    platform_settings: unknown;
  };

const listOf = (question: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_of_list), '[]') from (${question}) row_of_list)`;

export const findProfile = (reader: Reader, slug: string, now: Date): Promise<ProfileRow | undefined> =>
  firstRowOf<ProfileRow>(reader)`
    select ${cardColumns}, a.bio, a.video_url, a.years_experience, a.specialties, a.equipment, a.time_zone, a.is_active, a.created_at,
      ${listOf(media)} as media, ${listOf(sampleColumns)} as samples, ${listOf(reviews)} as reviews, ${starCounts} as star_counts, ${listOf(unavailable(now))} as taken, ${listOf(similar)} as similar, ${listOf(shows(now))} as shows,
      ${declinedKinds} as declined_kinds,
      own.value->'requireDeposit' is distinct from 'false'::jsonb as requires_deposit, ${answers(now)} as answers, ${contact} as contact,
      own.value as own_settings, (select p.value from settings p where p.scope = 'platform') as platform_settings
    from artists a left join settings own on own.scope = 'artist' and own.owner_id = a.id
    where a.slug = ${slug} and a.is_active and a.is_public`;

const declinedKinds = sql`array_remove(array[${sql.join(
  eventKinds.map(
    (kind) => sql`case when own.value->${sql.lit(acceptingSetting[kind])} = 'false' then ${sql.lit(kind)} end`,
  ),
)}], null)`;

/** While the artist shows them: the confirmed address, and the number of the profile, else the owner's confirmed one. */
const contact = sql`case when own.value->'showContactInfo' = 'true' then (
  select json_build_object(
    'email', case when u.email_confirmed_at is not null then u.email end,
    'phone', coalesce(a.contact_phone, case when u.phone_confirmed_at is not null then '+' || ltrim(u.phone, '+') end))
  from users u where u.id = a.user_id and u.deleted_at is null) end`;

const media = sql`
  select m.id, m.kind, m.url, m.alt, m.caption, m.image from artist_media m where m.artist_id = a.id order by m.position, m.id`;

const reviews = sql`
  select r.id, r.author_name, r.rating, r.body, r.created_at, b.event_type, b.event_date,
    (select json_build_object('body', p.body, 'created_at', p.created_at) from review_replies p where p.review_id = r.id) as reply
  from public_reviews r join bookings b on b.id = r.booking_id
  where r.artist_id = a.id order by r.created_at desc, r.id desc limit 6`;

const starCounts = sql`(
  select json_build_array(${sql.join(
    [1, 2, 3, 4, 5].map((stars) => sql`count(*) filter (where s.rating = ${sql.lit(stars)})`),
  )})
  from public_reviews s where s.artist_id = a.id)`;

/** Nights within notice and advance that cannot be requested. Reads only nights with an entry. */
const unavailable = (now: Date) => {
  const today = sql`(${now}::timestamptz at time zone a.time_zone)`;
  const last = sql`${today} + interval '731 days'`;
  return sql`
  select to_char(d.night, 'YYYY-MM-DD') as date, case n.night_state when 'taken' then 'booked' when 'held' then 'hold' else 'closed' end as state
  from (
    select day::date as night from date_reservations c,
      generate_series(date_trunc('day', greatest(lower(c.during) at time zone a.time_zone, ${today})) - interval '1 day',
        least(upper(c.during) at time zone a.time_zone, ${last}), interval '1 day') day
    where c.artist_id = a.id and upper(c.during) > ${now}::timestamptz - interval '1 day'
    union
    select day::date from generate_series(${today}, ${last}, interval '1 day') day
    where case when jsonb_typeof(own.value->'openNights') = 'array' then jsonb_array_length(own.value->'openNights') < 7 else false end
      or (jsonb_typeof(own.value->'nightExceptions') = 'array' and own.value->'nightExceptions' <> '[]')
  ) d ${joinNight({ night: sql`d.night`, zone: sql`a.time_zone`, now })}
  where n.night_state in ('taken', 'held', 'closed') order by d.night limit 800`;
};

/** How fast the artist answered, unanswered requests included. The time begins with the request, or with its later confirmation (`restartAnswer`). */
const answers = (now: Date) => sql`case when own.value->'requireDeposit' = 'false' then (
  select json_build_object('requests', count(*),
    'within_3_hours', count(*) filter (where not r.missed and r.took <= interval '3 hours'),
    'within_a_day', count(*) filter (where not r.missed and r.took > interval '3 hours' and r.took <= interval '1 day'))
  from (
    select b.cancel_code is not distinct from 'unanswered' as missed,
      coalesce(b.deposit_paid_at, b.canceled_at) - greatest(b.created_at, b.answer_due_at - interval '72 hours') as took
    from bookings b
    where b.artist_id = a.id and b.answer_due_at > ${now}::timestamptz - interval '1 year'
      and (b.deposit_paid_at is not null or b.cancel_code in ('request_declined', 'unanswered'))
    order by b.answer_due_at desc limit 40) r
  having count(*) >= 5) end`;

const shows = (now: Date) => sql`
  select b.event_date, b.event_type, b.venue_name, b.venue_address from bookings b
  where b.artist_id = a.id and b.listing = 'listed' and b.status = 'contract_signed' and b.starts_at > ${now}::timestamptz
  order by b.starts_at limit 5`;

/** Two others of the same genre: the nearest of the 24 most booked. */
const similar = sql`
  select ${cardColumns} from (
    select o.*, (o.lat - me.lat) ^ 2 + ((o.lon - me.lon) * 0.78) ^ 2 as distance
    from (select a.id, a.genre, a.lat, a.lon) me, artists o
    where o.genre = me.genre and o.is_active and o.is_public and o.id <> me.id order by o.booked_count desc, o.id desc limit 24) a
  order by a.distance nulls last, a.booked_count desc, a.id
  limit 2`;

export function toArtistProfile(row: ProfileRow): ArtistProfile {
  const { own_settings, platform_settings, ...profile } = row;
  const own = withDefaults("artist", own_settings);
  return {
    ...profile,
    ...toArtistCard(profile),
    samples: row.samples.map(toArtistSample),
    reviews: row.reviews.map((review) => ({
      ...review,
      created_at: new Date(review.created_at),
      reply: review.reply && { ...review.reply, created_at: new Date(review.reply.created_at) },
    })),
    similar: row.similar.map(toArtistCard),
    shows: row.shows.flatMap((show) => publicShowOf(show) ?? []),
    minimum_notice: own.minimumNotice,
    maximum_booking_days: own.maximumBookingDays,
    hold_days: own.holdsEnabled ? own.holdDays : null,
    availability_note: own.availabilityNote,
    cancellation_policy: policyOfArtist(withDefaults("platform", platform_settings), own.policyName),
  };
}
