-- The last payout of the provider that the artist's bank returned, until a later one arrives.
alter table artist_connect add column bank_return jsonb;
