/** Recent authentication: asked for before anything that changes how a person signs in, ends other sessions or cannot be taken back. */
import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { addressBlock } from "#platform/limits.ts";
import type { PlatformServices } from "#platform/services.ts";
import { AuthError } from "../auth-errors.ts";
import { countCode } from "../verification/attempt-limits.ts";
import { verifyHostedPassword, rejectHostedCode } from "../providers/gotrue-hosted/reauthentication.ts";
import { passwordMatches } from "../providers/local/passwords.ts";
import { lifetimes } from "../rules.ts";
import { consumeCode } from "../verification/one-time-codes.store.ts";

/** What a person proves themselves with again: the current password, or the code of GET /auth/v1/reauthenticate. */
export type Proof = { password?: string | undefined; code?: string | undefined };
type Who = Pick<Actor, "userId" | "sessionId" | "email">;

const amrShape = z.array(z.object({ timestamp: z.number() })).catch([]);

/**
 * Passes when the person authenticated in this session within the last five minutes, or does so now by the password or the mailed
 * code. A right proof counts for the next five minutes of this session. Throws 403 `reauthentication_needed` without one and 403
 * or 422 `reauthentication_not_valid` for a wrong one; tries are counted.
 */
export async function requireRecentAuthentication(
  services: PlatformServices,
  who: Who,
  ip: string,
  proof: Proof,
): Promise<void> {
  if (proof.password !== undefined || proof.code !== undefined) return reauthenticate(services, who, ip, proof);
  if (await isRecentlyAuthenticated(services, who.sessionId)) return;
  throw new Problem("forbidden", "Please enter your password again to go on.", { code: "reauthentication_needed" });
}

/** The same under /auth/v1, with GoTrue's status (400) for a proof that is missing. */
export async function requireRecentCaller(
  services: PlatformServices,
  who: Who,
  ip: string,
  proof: Proof,
): Promise<void> {
  try {
    await requireRecentAuthentication(services, who, ip, proof);
  } catch (error) {
    const isNeeded = error instanceof Problem && error.code === "reauthentication_needed";
    throw isNeeded ? new AuthError("reauthentication_needed", error.message) : error;
  }
}

/** Checks the proof that is given and notes its time in the session. A code is checked where there is no password. */
export async function reauthenticate(services: PlatformServices, who: Who, ip: string, proof: Proof): Promise<void> {
  if (proof.password !== undefined) await checkPassword(services, who, ip, proof.password);
  else if (services.config.gotrue) rejectHostedCode();
  else await checkCode(services, who, addressBlock(ip), proof.code ?? "");
  await services.database.transaction((tx) =>
    tx
      .updateTable("sessions")
      .set({ reauthenticated_at: services.clock.now() })
      .where("id", "=", who.sessionId)
      .execute(),
  );
}

/** The newest sign-in method or repeated proof of the session is at most five minutes old. */
export async function isRecentlyAuthenticated(services: PlatformServices, sessionId: string): Promise<boolean> {
  const session = await services.database.db
    .selectFrom("sessions")
    .select(["amr", "reauthenticated_at"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  const again = (session?.reauthenticated_at?.getTime() ?? 0) / 1000;
  const newest = Math.max(again, ...amrShape.parse(session?.amr).map((one) => one.timestamp));
  return services.clock.now().getTime() / 1000 - newest <= lifetimes.recentAuthentication;
}

async function checkPassword(services: PlatformServices, who: Who, ip: string, password: string): Promise<void> {
  await services.limits.hit(`fresh proof ${who.userId} ${addressBlock(ip)}`, 10, 900);
  if (services.config.gotrue) return verifyHostedPassword(services, who, password);
  const { db } = services.database;
  const user = await db.selectFrom("users").select("password_hash").where("id", "=", who.userId).executeTakeFirst();
  if (await passwordMatches(services, user?.password_hash, password)) return;
  throw new Problem("forbidden", "The password is wrong.", { code: "reauthentication_not_valid" });
}

/** Uses up a code of GET /reauthenticate. The code belongs to the session that asked for it. */
async function checkCode(services: PlatformServices, who: Who, block: string, code: string): Promise<void> {
  const tried = await countCode({ services, block }, who.userId);
  const wanted = {
    kinds: ["reauthentication"] as const,
    target: who.sessionId,
    code,
    userId: who.userId,
    codeSeconds: lifetimes.code,
  };
  const taken = await services.database.transaction((tx) => consumeCode(tx, services, wanted));
  if (!taken) throw new AuthError("reauthentication_not_valid");
  await tried.succeeded();
}
