/** Second factors for admins outside demo mode, whose admin area requires one. */

import { decodeJwt } from "jose";
import type { OpenServices } from "#app/services.ts";
import { signAccessToken } from "#users/sessions/access-tokens.ts";

export { codeAt } from "#users/mfa/totp.ts";

/** Returns the given token, or for an admin outside demo mode one of the same session at aal2. */
export async function withSecondFactor(services: OpenServices, token: string): Promise<string> {
  const { demo, gotrue } = services.config;
  if (demo || gotrue) return token;
  const { sub: userId = "", session_id } = decodeJwt<{ session_id: string }>(token);
  const { db } = services.database;
  const profile = await db.selectFrom("profiles").select("role").where("user_id", "=", userId).executeTakeFirst();
  if (profile?.role !== "admin") return token;
  const factor = { user_id: userId, status: "verified", secret: "of no use", friendly_name: "test" } as const;
  await db
    .insertInto("factors")
    .values(factor)
    .onConflict((on) => on.doNothing())
    .execute();
  await db.updateTable("sessions").set({ aal: "aal2" }).where("id", "=", session_id).execute();
  return (await signAccessToken(services, { userId, sessionId: session_id, aal: "aal2", amr: [] })).token;
}
