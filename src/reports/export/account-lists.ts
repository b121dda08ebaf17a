import { sql } from "kysely";
import { z } from "zod";
import { adminArtistFilters } from "#artists/api.ts";
import { allArtistsWhere } from "#artists/index.ts";
import { userFilters } from "#users/api.ts";
import { usersWhere } from "#users/index.ts";
import { contractFilters } from "../lists/contracts.api.ts";
import { contractsWhere } from "../lists/contracts.views.ts";
import { list, money, nextRows, platformTime } from "./lists.ts";

export const contracts = list<Parameters<typeof contractsWhere>[0]>({
  columns: "Booking, Artist, Promoter, Event date, Status, Provider, Drafted, Sent, Signed, Ended, Time zone",
  filters: z.strictObject(contractFilters),
  batch: (filters, batch) => sql`
    select c.id, c.created_at::text as position, jsonb_build_array(b.number, a.name, b.promoter_name, b.event_date, c.signed_status,
      c.provider, ${platformTime("c.created_at", batch)}, ${platformTime("c.sent_at", batch)}, ${platformTime("c.signed_at", batch)}, ${platformTime("b.canceled_at", batch)}, ${batch.timeZone}::text) as cells
    from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id
    where ${contractsWhere(filters, batch.timeZone)} ${nextRows(batch, "c.created_at", "c.id")}`,
});

export const contractTemplates = list<Record<string, never>>({
  columns: "Name, Title, Version, Saved by, Saved, Time zone",
  filters: z.strictObject({}),
  ids: z.string(),
  batch: (_filters, batch) => sql`
    select t.id, t.saved_at::text as position,
      jsonb_build_array(t.id, t.title, t.version, coalesce(t.saved_by, 'shipped with the product'), ${platformTime("t.saved_at", batch)}, ${batch.timeZone}::text) as cells
    from (select distinct on (id) id, title, version, saved_at, saved_by from contract_templates order by id, version desc) t
    where true ${nextRows(batch, "t.saved_at", "t.id", "text")}`,
});

export const users = list<Parameters<typeof usersWhere>[0]>({
  columns: "Id, Name, Email, Role, Suspended, Joined, Time zone",
  filters: z.strictObject(userFilters),
  batch: (filters, batch) => sql`
    select users.id, users.created_at::text as position, jsonb_build_array(users.id, profiles.name, profiles.email, profiles.role,
      case when users.banned_until > ${batch.now}::timestamptz then 'yes' else 'no' end, ${platformTime("profiles.created_at", batch)}, ${batch.timeZone}::text) as cells
    from profiles join users on users.id = profiles.user_id
    where ${usersWhere(filters)} ${nextRows(batch, "users.created_at", "users.id")}`,
});

export const artists = list<Parameters<typeof allArtistsWhere>[0]>({
  columns: "Id, Name, Genre, Location, Account, Active, Front page, Currency, Base rate, Bookings, Created, Time zone",
  filters: z.strictObject(adminArtistFilters),
  batch: (filters, batch) => sql`
    select a.id, a.created_at::text as position, jsonb_build_array(a.id, a.name, a.genre, a.location,
      (select p.email from profiles p where p.user_id = a.user_id), case when a.is_active then 'yes' else 'no' end,
      case when a.featured_rank is null then 'no' else 'yes' end, a.price_currency, ${money("a.base_rate")}, a.booked_count,
      ${platformTime("a.created_at", batch)}, ${batch.timeZone}::text) as cells
    from artists a where ${allArtistsWhere(filters)} ${nextRows(batch, "a.created_at", "a.id")}`,
});

export const holds = list<Record<string, never>>({
  columns: "Night, Artist, Promoter, Rank, State, Runs until, Ended, Booking, Requested, Time zone",
  filters: z.strictObject({}),
  batch: (_filters, batch) => sql`
    select n.id, h.created_at::text as position, jsonb_build_array(to_char(n.night, 'YYYY-MM-DD'), a.name,
      coalesce(h.entered_name, nullif(p.name, ''), 'A promoter'), coalesce(n.rank, n.ended_rank), n.state,
      ${platformTime("coalesce(n.challenge_ends_at, n.expires_at)", batch)}, ${platformTime("n.ended_at", batch)}, (select b.number from bookings b where b.id = n.booking_id),
      ${platformTime("h.created_at", batch)}, ${batch.timeZone}::text) as cells
    from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id
      left join profiles p on p.user_id = n.promoter_user_id
    where true ${nextRows(batch, "h.created_at", "n.id")}`,
});
