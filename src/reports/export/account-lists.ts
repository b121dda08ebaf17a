/** The admin's exports of contracts and users. */
import { sql } from "kysely";
import { z } from "zod";
import { userFilters } from "#users/api.ts";
import { peopleWhere } from "#users/index.ts";
import { contractFilters } from "../lists/contracts.api.ts";
import { contractsWhere } from "../lists/contracts.views.ts";
import { behind, list } from "./lists.ts";

type ContractRow = Record<"number" | "artist" | "promoter_name" | "event_date" | "status" | "provider", string> &
  Record<"sent_at" | "signed_at" | "ended_at", Date | null> & { created_at: Date };

export const contracts = list<ContractRow, Parameters<typeof contractsWhere>[0]>({
  columns: ["Booking", "Artist", "Promoter", "Event date", "Status", "Provider", "Drafted", "Sent", "Signed", "Ended"],
  filters: z.object(contractFilters),
  batch: (filters, batch) => sql`
    select c.id, c.created_at::text as position, b.number, a.name as artist, b.promoter_name, b.event_date, c.signed_status as status,
      c.provider, c.created_at, c.sent_at, c.signed_at, b.canceled_at as ended_at
    from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id
    where ${contractsWhere(filters)} ${behind(sql`c`, batch)}
    order by c.created_at desc, c.id desc limit ${batch.limit}::int`,
  cells: (row) => [
    row.number,
    row.artist,
    row.promoter_name,
    row.event_date,
    row.status,
    row.provider,
    row.created_at,
    row.sent_at,
    row.signed_at,
    row.ended_at,
  ],
});

type UserRow = Record<"id" | "name" | "email" | "role", string> & { suspended: boolean; created_at: Date };

export const users = list<UserRow, Parameters<typeof peopleWhere>[0]>({
  columns: ["Id", "Name", "Email", "Role", "Suspended", "Joined"],
  filters: z.object(userFilters),
  batch: (filters, batch) => sql`
    select users.id, users.created_at::text as position, profiles.name, profiles.email, profiles.role, profiles.created_at,
      coalesce(users.banned_until > ${batch.now}::timestamptz, false) as suspended
    from profiles join users on users.id = profiles.user_id
    where ${peopleWhere(filters)} ${behind(sql`users`, batch)}
    order by users.created_at desc, users.id desc limit ${batch.limit}::int`,
  cells: (row) => [row.id, row.name, row.email, row.role, row.suspended ? "yes" : "no", row.created_at],
});
