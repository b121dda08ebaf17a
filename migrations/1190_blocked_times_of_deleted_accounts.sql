-- Blocked times have private notes. Accounts that were deleted before this version left theirs with the profile.
delete from date_reservations r using artists a where a.id = r.artist_id and r.kind = 'blocked' and a.user_id is null;
