-- Recovery codes are kept as argon2id hashes with a salt each; hash only names the row then. Codes made before keep their keyed hash.
alter table recovery_codes add column argon2 text;
