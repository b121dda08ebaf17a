-- The webhooks of the card provider and of the signing services have one inbox (1473). The default serves processes of the version before.
alter table provider_events add column source text not null default 'payments';
