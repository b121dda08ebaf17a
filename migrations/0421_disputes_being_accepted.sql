-- While the provider is asked to close a dispute that an admin accepts, no evidence is stored for it: it would be thrown away (decision 301).
alter table disputes add column accepting_until timestamptz;
