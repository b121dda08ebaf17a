-- Tables of the accounts get the names that the field uses.
alter table known_places rename to known_networks;
alter table known_networks rename constraint known_places_pkey to known_networks_pkey;
alter table known_networks rename constraint known_places_user_id_fkey to known_networks_user_id_fkey;
alter index known_places_last_used rename to known_networks_last_used;

alter table artist_claims rename to profile_claims;
alter table profile_claims rename constraint artist_claims_pkey to profile_claims_pkey;
alter table profile_claims rename constraint artist_claims_artist_id_fkey to profile_claims_artist_id_fkey;
alter table profile_claims rename constraint artist_claims_user_id_fkey to profile_claims_user_id_fkey;
alter table profile_claims rename constraint artist_claims_decided_by_fkey to profile_claims_decided_by_fkey;
alter table profile_claims rename constraint artist_claims_evidence_check to profile_claims_evidence_check;
alter index artist_claims_open rename to profile_claims_open;
alter index artist_claims_granted rename to profile_claims_granted;
alter index artist_claims_waiting rename to profile_claims_waiting;

alter table console_tokens rename to operator_tokens;
alter table operator_tokens rename constraint console_tokens_pkey to operator_tokens_pkey;
alter table operator_tokens rename constraint console_tokens_used_by_fkey to operator_tokens_used_by_fkey;
alter table operator_tokens rename constraint console_tokens_purpose_check to operator_tokens_purpose_check;
