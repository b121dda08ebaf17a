import { type RawBuilder, sql } from "kysely";

export const hasVerifiedFactor: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from factors where factors.user_id = users.id and factors.status = 'verified')`;
