-- Reservations of earlier versions have the whole night and nothing after its end. The job advance-holds reserves these nights again.
alter table hold_nights add column reserve_again boolean not null default false;
update hold_nights set reserve_again = true where state = 'active';
