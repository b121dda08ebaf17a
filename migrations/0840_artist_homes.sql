-- Finds the artists who come to a town, nearest first, without measuring all of them: positions are points of the unit sphere, whose
-- straight-line distances order like those over the ground.
create extension if not exists cube;

-- A copy of the artist's setting travelRadius in miles, kept by the trigger below: an index cannot read another table.
alter table artists add column travel_radius int not null default 50;

create function travel_radius_of(setting jsonb) returns int language sql immutable parallel safe as $$
  select case when jsonb_typeof(setting) = 'number' and setting::numeric between 0 and 1000 and setting::numeric % 1 = 0
    then setting::int else 50 end
$$;

create function copy_travel_radius() returns trigger language plpgsql as $$
declare
  miles int := travel_radius_of(new.value->'travelRadius');
begin
  update artists set travel_radius = miles where id = new.owner_id and travel_radius <> miles;
  return null;
end
$$;
create trigger settings_travel_radius after insert or update of value on settings
  for each row when (new.scope = 'artist') execute function copy_travel_radius();

update artists a set travel_radius = travel_radius_of(s.value->'travelRadius')
  from settings s where s.scope = 'artist' and s.owner_id = a.id and s.value ? 'travelRadius';

-- Artists of one town get positions a few feet apart, so that no two are equally far from anywhere: the index orders by the distance alone.
-- Those of an unknown town are farther than all others.
create function artist_home(lat float8, lon float8, id uuid) returns cube language sql immutable parallel safe
  return case when lat is null or lon is null then cube(array[0, 0, 9 + ('x' || right(id::text, 8))::bit(32)::int / 2147483648.0])
    else cube(array[
      cos(radians(lat)) * cos(radians(lon)) + ('x' || right(id::text, 8))::bit(32)::int / 2147483648.0 * 1e-6,
      cos(radians(lat)) * sin(radians(lon)) + ('x' || left(id::text, 8))::bit(32)::int / 2147483648.0 * 1e-6,
      sin(radians(lat))]) end;

alter table artists
  add column home cube not null generated always as (artist_home(lat, lon, id)) stored,
  -- A box around all places within the radius, which is in miles; an artist of an unknown town may come anywhere.
  add column reach cube not null generated always as (
    case when lat is null or lon is null then cube(array[-2, -2, -2]::float8[], array[2, 2, 2]::float8[])
      else cube_enlarge(artist_home(lat, lon, id), 2 * sin((travel_radius + 1) / 3958.8 / 2), 3) end) stored;

create index artists_home on artists using gist (home, reach) where is_active;
