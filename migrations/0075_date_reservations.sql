-- A booking reserves its artist's date; "claim" now means only what a person says about a profile.
alter table date_claims rename to date_reservations;
alter table date_reservations rename column holder_browser to held_by_browser;
alter table date_reservations rename column holder_address to held_by_address;
alter table date_reservations rename column holder_email to held_by_email;
alter table date_reservations rename constraint one_claim_per_date to one_reservation_per_date;
alter table date_reservations rename constraint date_claims_pkey to date_reservations_pkey;
alter table date_reservations rename constraint date_claims_booking_id_key to date_reservations_booking_id_key;
alter table date_reservations rename constraint date_claims_artist_id_fkey to date_reservations_artist_id_fkey;
alter table date_reservations rename constraint date_claims_booking_id_fkey to date_reservations_booking_id_fkey;
alter table date_reservations rename constraint date_claims_kind_check to date_reservations_kind_check;
alter table date_reservations rename constraint date_claims_check to date_reservations_expires_at_check;
alter index date_claims_ending rename to date_reservations_ending;
alter index date_claims_browser rename to date_reservations_browser;
alter index date_claims_address rename to date_reservations_address;
alter index date_claims_email rename to date_reservations_email;

alter table past_holds rename column holder_browser to held_by_browser;
alter table past_holds rename column holder_address to held_by_address;
alter table past_holds rename column holder_email to held_by_email;
