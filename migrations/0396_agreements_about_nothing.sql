-- A booking of which nothing is paid yet can be ended by agreement as well, as its contract says: then nothing is divided.
alter table force_majeure_proposals drop constraint force_majeure_proposals_paid_cents_check;
alter table force_majeure_proposals add constraint force_majeure_proposals_paid_cents_check check (paid_cents >= 0);
