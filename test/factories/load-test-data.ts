/**
 * Returns SQL that inserts `count` artists of all genres for search benchmarks, the same each time: slugs `many-1` …, every
 * 20th inactive, every 50th on request. A million takes about a minute.
 */
export const loadTestArtistsSql = (count: number): string => `
with words as (select
  array['Velvet','Neon','Golden','Electric','Silent','Crimson','Midnight','Wild','Broken','Silver','Lunar','Solar','Paper','Glass','Iron','Hollow',
    'Royal','Urban','Desert','Ocean','Amber','Arctic','Atomic','Blue','Bright','Cosmic','Crystal','Dark','Distant','Dusty'] as adjectives,
  array['Dreams','Foxes','Riders','Rebels','Machine','Garden','Parade','Orchestra','Collective','Society','Tigers','Wolves','Echoes','Hearts',
    'Strings','Horns','Voices','Shadows','Lights','Rivers','Mountains','Engines','Pilots','Saints','Sinners','Poets','Thieves','Sailors'] as nouns,
  array['ka','lo','mi','ren','sto','vi','dar','qui','zel','mon','tha','bru','fen','gal','hir','jon','pel','sar','tu','wex'] as parts,
  array['acoustic','blues','classical','country','electronic','folk','jazz','pop','rock','soul','other'] as genres)
insert into artists (slug, name, genre, base_rate, is_active, rating_x10, review_count, booked_count, location, lat, lon, time_zone, created_at)
select 'many-' || n,
  case when h % 3 = 0
    then initcap(parts[1 + (h / 3) % 20] || parts[1 + (h / 61) % 20] || parts[1 + (h / 1223) % 20]) || ' ' || initcap(parts[1 + (h / 97) % 20] || parts[1 + (h / 1933) % 20])
    else adjectives[1 + (h / 7) % 30] || ' ' || nouns[1 + (h / 359) % 28] || case when h % 5 = 0 then ' ' || h % 9973 else '' end
  end,
  genres[1 + (h / 13) % 11],
  case when h % 50 = 0 then 0 else 5000 + (h / 17) % 400 * 500 end,
  h % 20 <> 0, 10 + (h / 29) % 41, h % 90, (h / 31) % 500,
  'Austin, Texas', 25 + (h / 37) % 2400 / 100.0, -124 + (h / 41) % 5700 / 100.0, 'America/Chicago',
  now() - h % 31536000 * interval '1 second'
from words, generate_series(1, ${Math.trunc(count)}) n, lateral (select abs(hashint8(n)::bigint) as h) hashed;`;
