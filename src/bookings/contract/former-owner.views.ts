import { hasRow, type Reader } from "#platform/db/index.ts";

/** Returns true if the artist's side was signed before the profile's present owner acquired it. The evidence is then about the former owner. */
export const isSignedByFormerOwner = (reader: Reader, contractId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from contract_signers s join contracts c on c.id = s.contract_id join bookings b on b.id = c.booking_id
      join profile_claims p on p.artist_id = b.artist_id and p.granted and p.decided_at > s.signed_at
    where s.contract_id = ${contractId}::uuid and s.side = 'artist'`;
