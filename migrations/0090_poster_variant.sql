-- Which of its possible posters an artist has. Chosen once, when the artist is stored, so that neighbours in a list do
-- not share ink and picture; 0 is the poster that every artist had before.
alter table artists add column poster_variant smallint not null default 0 check (poster_variant between 0 and 100);
