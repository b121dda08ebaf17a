-- Who ends a hold is written down before the provider is asked to end its page, so that the email about it can say so.
alter table date_reservations add column released_by text check (released_by in ('checkout', 'artist', 'promoter', 'clock'));
