-- Both sides of a completed booking may review the other once. A review is published when both are in or the time for
-- writing is over; until then only its author sees it. Rows of earlier versions are promoters' reviews that were public at once.
alter table reviews
  drop constraint reviews_booking_id_key,
  add column written_by     text not null default 'promoter' check (written_by in ('promoter', 'artist')),
  add column author_user_id uuid references users on delete set null,
  add column published_at   timestamptz,
  add column hidden_at      timestamptz,
  add column hidden_by      uuid references users on delete set null,
  add column hidden_reason  text,
  add constraint one_review_per_side unique (booking_id, written_by),
  add constraint reviews_hidden check ((hidden_at is null) = (hidden_reason is null)),
  add constraint reviews_hidden_once_published check (hidden_at is null or published_at is not null);
alter table reviews alter column written_by drop default;
update reviews set published_at = created_at;
update reviews set author_user_id = b.promoter_user_id from bookings b where b.id = reviews.booking_id;

drop index reviews_artist;
create index reviews_public on reviews (artist_id, created_at desc, id desc)
  where written_by = 'promoter' and published_at is not null and hidden_at is null;
create index reviews_unpublished on reviews (booking_id) where published_at is null;
create index reviews_hidden_last on reviews (hidden_at desc) where hidden_at is not null;
create index reviews_author on reviews (author_user_id);

-- The one definition of what the public sees of an artist, and of what an artist's rating and number of reviews come from.
create view public_reviews as
  select id, booking_id, artist_id, author_name, rating, body, created_at from reviews
  where written_by = 'promoter' and published_at is not null and hidden_at is null;

-- The artist's one public answer to a review.
create table review_replies (
  review_id      uuid primary key references reviews on delete cascade,
  author_user_id uuid references users on delete set null,
  body           text not null,
  created_at     timestamptz not null default now()
);
create index review_replies_author on review_replies (author_user_id);

-- Whoever is reviewed may report the review once; an admin hides or keeps it.
create table review_reports (
  review_id        uuid primary key references reviews on delete cascade,
  reporter_user_id uuid references users on delete set null,
  reason           text not null,
  created_at       timestamptz not null default now(),
  decided_at       timestamptz,
  decided_by       uuid references users on delete set null,
  decision         text check (decision in ('hidden', 'kept')),
  constraint review_reports_decided check ((decided_at is null) = (decision is null))
);
create index review_reports_open on review_reports (created_at) where decided_at is null;
create index review_reports_reporter on review_reports (reporter_user_id);
