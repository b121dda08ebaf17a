import { type RawBuilder, sql } from "kysely";

/** True if the account of a `users` row has a verified authenticator, as a condition of its query. */
export const hasVerifiedFactor: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from factors where factors.user_id = users.id and factors.status = 'verified')`;
