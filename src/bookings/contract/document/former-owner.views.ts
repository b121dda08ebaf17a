/** Whose signature stands under a contract: the present owner's of the artist profile, or a former one's. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";

/** The artist's side was signed before the profile came to its present owner, so that its evidence is about somebody else. */
export async function isSignedByFormerOwner(reader: Reader, contractId: string): Promise<boolean> {
  const { rows } = await sql<{ former: boolean }>`
    select exists (
      select 1 from contract_signers s join contracts c on c.id = s.contract_id join bookings b on b.id = c.booking_id
        join profile_claims p on p.artist_id = b.artist_id and p.granted and p.decided_at > s.signed_at
      where s.contract_id = ${contractId}::uuid and s.side = 'artist') as former`.execute(reader);
  return rows[0]?.former ?? false;
}
