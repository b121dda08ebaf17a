import { updateById, type Tx } from "#platform/db/index.ts";

/** Stores a claim and returns its id. Undefined if the user already has an open claim to this artist. */
export async function insertProfileClaim(
  tx: Tx,
  claim: { artistId: string; userId: string; evidence: string; now: Date },
): Promise<string | undefined> {
  const row = await tx
    .insertInto("profile_claims")
    .values({ artist_id: claim.artistId, user_id: claim.userId, evidence: claim.evidence, created_at: claim.now })
    .onConflict((on) => on.columns(["artist_id", "user_id"]).where("decided_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function eraseProfileClaims(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("profile_claims").where("user_id", "=", userId).where("decided_at", "is", null).execute();
  await tx
    .updateTable("profile_claims")
    .set({ evidence: "Removed with the account." })
    .where("user_id", "=", userId)
    .execute();
}

type Decision = { by: string; granted: boolean; note: string | null; now: Date };

export const recordProfileClaimDecision = (tx: Tx, claimId: string, { by, granted, note, now }: Decision) =>
  updateById(tx, "profile_claims", claimId, { decided_at: now, decided_by: by, granted, note });

export const refuseOtherClaims = (tx: Tx, artistId: string, { by, note, now }: Omit<Decision, "granted">) =>
  tx
    .updateTable("profile_claims")
    .from("users")
    .set({ decided_at: now, decided_by: by, granted: false, note })
    .whereRef("users.id", "=", "profile_claims.user_id")
    .where("artist_id", "=", artistId)
    .where("decided_at", "is", null)
    .returning(["profile_claims.user_id", "users.email", "users.email_confirmed_at"])
    .execute();

/** Locks the claimant, whose first profile is saved before or after, the artist and the claim. PostgreSQL locks in the order of the tables here, as the deletion of an account does. */
export const lockClaim = (tx: Tx, claimId: string) =>
  tx
    .selectFrom(["users", "profiles", "artists", "profile_claims"])
    .whereRef("profiles.user_id", "=", "profile_claims.user_id")
    .whereRef("users.id", "=", "profile_claims.user_id")
    .whereRef("artists.id", "=", "profile_claims.artist_id")
    .select([
      "profile_claims.artist_id",
      "profile_claims.user_id",
      "profile_claims.decided_at",
      "artists.name",
      "artists.user_id as owner",
      "profiles.email",
      "profiles.role",
      "users.email_confirmed_at",
      "users.deleted_at",
      "users.banned_until",
    ])
    .where("profile_claims.id", "=", claimId)
    .forUpdate()
    .executeTakeFirst();
