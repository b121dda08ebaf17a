import { sql } from "kysely";
import { z } from "zod";
import { adminArtistFilters } from "#artists/api.ts";
import { allArtistsWhere } from "#artists/index.ts";
import { userFilters } from "#users/api.ts";
import { usersWhere } from "#users/index.ts";
import { contractFilters } from "../lists/contracts.api.ts";
import { contractsWhere } from "../lists/contracts.views.ts";
import { list, money, nextRows } from "./lists.ts";

export const contracts = list<Parameters<typeof contractsWhere>[0]>({
  columns: {
    Booking: "number",
    Artist: "artist",
    Promoter: "promoter_name",
    "Event date": "event_date",
    Status: "status",
    Provider: "provider",
    Drafted: "created_at",
    Sent: "sent_at",
    Signed: "signed_at",
    Ended: "ended_at",
  },
  filters: z.object(contractFilters),
  batch: (filters, batch) => sql`
    select c.id, c.created_at::text as position, b.number, a.name as artist, b.promoter_name, b.event_date, c.signed_status as status,
      c.provider, c.created_at, c.sent_at, c.signed_at, b.canceled_at as ended_at
    from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id
    where ${contractsWhere(filters)} ${nextRows(batch, "c.created_at", "c.id")}`,
});

export const contractTemplates = list<Record<string, never>>({
  columns: { Name: "id", Title: "title", Version: "version", "Saved by": "saved_by", Saved: "saved_at" },
  filters: z.strictObject({}),
  batch: (_filters, batch) => sql`
    select t.*, t.saved_at::text as position from (
      select distinct on (id) id, title, version, saved_at, coalesce(saved_by, 'shipped with the product') as saved_by
      from contract_templates order by id, version desc) t
    where true ${nextRows(batch, "t.saved_at", "t.id", "text")}`,
});

export const users = list<Parameters<typeof usersWhere>[0]>({
  columns: { Id: "id", Name: "name", Email: "email", Role: "role", Suspended: "suspended", Joined: "created_at" },
  filters: z.object(userFilters),
  batch: (filters, batch) => sql`
    select users.id, users.created_at::text as position, profiles.name, profiles.email, profiles.role, profiles.created_at,
      case when users.banned_until > ${batch.now}::timestamptz then 'yes' else 'no' end as suspended
    from profiles join users on users.id = profiles.user_id
    where ${usersWhere(filters)} ${nextRows(batch, "users.created_at", "users.id")}`,
});

export const artists = list<Parameters<typeof allArtistsWhere>[0]>({
  columns: {
    Id: "id",
    Name: "name",
    Genre: "genre",
    Location: "location",
    Account: "account",
    Active: "active",
    "Front page": "featured",
    Currency: "price_currency",
    "Base rate": money("base_rate"),
    Bookings: "booked_count",
    Created: "created_at",
  },
  filters: z.object(adminArtistFilters),
  batch: (filters, batch) => sql`
    select a.id, a.created_at::text as position, a.name, a.genre, a.location, a.price_currency, a.base_rate, a.booked_count, a.created_at,
      (select p.email from profiles p where p.user_id = a.user_id) as account,
      case when a.is_active then 'yes' else 'no' end as active, case when a.featured_rank is null then 'no' else 'yes' end as featured
    from artists a where ${allArtistsWhere(filters)} ${nextRows(batch, "a.created_at", "a.id")}`,
});

export const holds = list<Record<string, never>>({
  columns: {
    Night: "night",
    Artist: "artist",
    Promoter: "promoter",
    Rank: "rank",
    State: "state",
    "Runs until": "runs_until",
    Ended: "ended_at",
    Booking: "number",
    Requested: "created_at",
  },
  filters: z.strictObject({}),
  batch: (_filters, batch) => sql`
    select n.id, h.created_at::text as position, to_char(n.night, 'YYYY-MM-DD') as night, a.name as artist,
      coalesce(h.entered_name, nullif(p.name, ''), 'A promoter') as promoter, coalesce(n.rank, n.ended_rank) as rank, n.state,
      coalesce(n.challenge_ends_at, n.expires_at) as runs_until, n.ended_at, (select b.number from bookings b where b.id = n.booking_id) as number, h.created_at
    from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id
      left join profiles p on p.user_id = n.promoter_user_id
    where true ${nextRows(batch, "h.created_at", "n.id")}`,
});
