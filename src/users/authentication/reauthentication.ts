/** A fresh proof of the person, before something that cannot be taken back. */
import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { addressBlock } from "#platform/limits.ts";
import type { PlatformServices } from "#platform/services.ts";
import { reauthenticateByCode } from "../gotrue/user.ts";
import { verifyHostedPassword, rejectHostedCode } from "../providers/gotrue-hosted/reauthentication.ts";
import { passwordMatches } from "../providers/local/passwords.ts";
import { lifetimes } from "../rules.ts";

export type Proof = { password?: string | undefined; code?: string | undefined };
const amrShape = z.array(z.object({ timestamp: z.number() })).catch([]);

/**
 * Passes when the person proved themselves in the last ten minutes, or now, by the password or the code of
 * GET /auth/v1/reauthenticate. Throws 403 `reauthentication_needed` otherwise; wrong passwords are counted.
 */
export async function requireRecentAuthentication(
  services: PlatformServices,
  actor: Pick<Actor, "userId" | "sessionId" | "email">,
  ip: string,
  proof: Proof,
): Promise<void> {
  const { db } = services.database;
  if (proof.password !== undefined) {
    await services.limits.hit(`fresh proof ${actor.userId} ${addressBlock(ip)}`, 10, 900);
    if (services.config.gotrue) return verifyHostedPassword(services, actor, proof.password);
    const user = await db.selectFrom("users").select("password_hash").where("id", "=", actor.userId).executeTakeFirst();
    if (await passwordMatches(services, user?.password_hash, proof.password)) return;
    throw new Problem("forbidden", "The password is wrong.", { code: "reauthentication_not_valid" });
  }
  if (proof.code !== undefined && services.config.gotrue) return rejectHostedCode();
  if (proof.code !== undefined) return reauthenticateByCode({ services, block: addressBlock(ip) }, actor, proof.code);
  const session = await db.selectFrom("sessions").select("amr").where("id", "=", actor.sessionId).executeTakeFirst();
  const newest = Math.max(0, ...amrShape.parse(session?.amr).map((one) => one.timestamp));
  if (services.clock.now().getTime() / 1000 - newest <= lifetimes.recentAuthentication) return;
  throw new Problem("forbidden", "Please enter your password again to go on.", { code: "reauthentication_needed" });
}
