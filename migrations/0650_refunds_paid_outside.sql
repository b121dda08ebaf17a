-- A refund that the provider refused for good is paid by the platform in another way, for example by bank transfer; an admin records it.
alter table refunds add column paid_outside_at timestamptz;
