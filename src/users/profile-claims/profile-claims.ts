import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, notFound, conflict, invalid } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { broadcastProfileClaimsChange } from "../change-notifications.ts";
import { sendProfileClaimDecided } from "../emails.ts";
import { notifyAdmins } from "../roles/admin-requests.ts";
import type { AccountServices } from "../services.ts";
import { isSuspended } from "../store.ts";
import {
  lockClaim,
  eraseProfileClaims,
  insertProfileClaim,
  refuseOtherClaims,
  recordProfileClaimDecision,
} from "./profile-claims.store.ts";
import { listClaimableArtists, ownsArtist } from "./views.ts";

/** Claims an artist. Throws without a verified mailbox, for another name, for an owned artist, and for an artist's owner. */
export async function claimProfile(
  tx: Tx,
  actor: Actor,
  input: { artistId: string; evidence: string },
  services: PlatformServices,
): Promise<string> {
  if (!actor.emailVerified) throw new Problem("forbidden", "Confirm your email address first.");
  const claimable = await listClaimableArtists(tx, actor.name);
  const artist = claimable.find((one) => one.artistId === input.artistId);
  if (!artist) throw notFound("There is no such artist to claim.");
  if (await ownsArtist(tx, actor.userId)) throw conflict("You already have an artist profile.");
  const { artistId, evidence } = input;
  const claimId = await insertProfileClaim(tx, {
    artistId,
    userId: actor.userId,
    evidence,
    now: services.realClock.now(),
  });
  if (!claimId) throw conflict("You have already claimed this profile. An admin will decide.");
  await broadcastProfileClaimsChange(tx, [actor.userId]);
  await recordActivity(tx, {
    type: "system",
    refId: input.artistId,
    actorId: actor.userId,
    message: `${actor.name} claims the artist ${artist.name}`,
  });
  await notifyAdmins(
    tx,
    services,
    `claim ${claimId}`,
    `${actor.name} (${actor.email}) claims the artist ${artist.name}.`,
  );
  return claimId;
}

const mayOwn = (claimant: NonNullable<Awaited<ReturnType<typeof lockClaim>>>, now: Date): boolean =>
  claimant.role === "artist" &&
  claimant.email_confirmed_at !== null &&
  claimant.deleted_at === null &&
  !isSuspended(claimant, now);

export async function removeProfileClaims(tx: Tx, userId: string): Promise<void> {
  await eraseProfileClaims(tx, userId);
  await broadcastProfileClaimsChange(tx, [userId]);
}

type Decision = { claimId: string; granted: boolean; note: string };

/** Decides a claim, and assigns the artist of a granted one. Throws a conflict (409) if the artist already has an owner, or the claimant an artist. */
export async function decideProfileClaim(
  tx: Tx,
  services: AccountServices,
  admin: Actor,
  { claimId, granted, note }: Decision,
): Promise<void> {
  const now = services.realClock.now();
  const claim = await lockClaim(tx, claimId);
  if (!claim) throw notFound("There is no such claim.");
  if (claim.decided_at) throw conflict("This claim was already decided.");
  if (!granted && note.length < 3) throw invalid("Enter a reason.");
  if (granted && claim.owner) throw conflict("This artist already has an owner.");
  if (granted && !mayOwn(claim, now))
    throw conflict(
      "This user is suspended, is no longer an artist, or has not confirmed the email address. Nothing was changed.",
    );
  const gift = { artistId: claim.artist_id, userId: claim.user_id, now };
  if (granted && ((await ownsArtist(tx, claim.user_id)) || !(await services.ownArtists.give(tx, gift))))
    throw conflict("This user already has an artist profile.");
  await recordProfileClaimDecision(tx, claimId, { by: admin.userId, granted, note: note || null, now });
  const lost = "Another claim was granted.";
  const others = granted ? await refuseOtherClaims(tx, claim.artist_id, { by: admin.userId, note: lost, now }) : [];
  for (const one of [claim, ...others]) await broadcastProfileClaimsChange(tx, [one.user_id]);
  if (granted) await broadcastChange(tx, "bookings", { userIds: [claim.user_id], admins: true });
  await recordActivity(tx, {
    type: "system",
    refId: claim.artist_id,
    actorId: admin.userId,
    message: `${admin.name} ${granted ? "granted" : "refused"} a claim to ${claim.name}`,
    meta: { userId: claim.user_id, note },
  });
  if (claim.email_confirmed_at && !claim.deleted_at)
    await sendProfileClaimDecided(tx, services.config.publicUrl, claim.email, claim.name, granted, note);
  for (const { email, email_confirmed_at: confirmedAt } of others)
    if (email && confirmedAt)
      await sendProfileClaimDecided(tx, services.config.publicUrl, email, claim.name, false, lost);
}
