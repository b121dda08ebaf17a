/** The admin's exports of contracts and users. */
import { sql } from "kysely";
import { z } from "zod";
import { userFilters } from "#users/api.ts";
import { peopleWhere } from "#users/index.ts";
import { contractFilters } from "../lists/contracts.api.ts";
import { contractsWhere } from "../lists/contracts.views.ts";
import { behind, list } from "./lists.ts";

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
    where ${contractsWhere(filters)} ${behind(sql`c`, batch)}
    order by c.created_at desc, c.id desc limit ${batch.limit}::int`,
});

export const users = list<Parameters<typeof peopleWhere>[0]>({
  columns: {
    Id: "id",
    Name: "name",
    Email: "email",
    Role: "role",
    Suspended: "suspended",
    Joined: "created_at",
  },
  filters: z.object(userFilters),
  batch: (filters, batch) => sql`
    select users.id, users.created_at::text as position, profiles.name, profiles.email, profiles.role, profiles.created_at,
      case when users.banned_until > ${batch.now}::timestamptz then 'yes' else 'no' end as suspended
    from profiles join users on users.id = profiles.user_id
    where ${peopleWhere(filters)} ${behind(sql`users`, batch)}
    order by users.created_at desc, users.id desc limit ${batch.limit}::int`,
});
