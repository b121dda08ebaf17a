import { Problem } from "../errors.ts";
import type { PlatformServices } from "../services/index.ts";
import type { Access } from "./api.ts";
import { type Actor, type Context, requireActor } from "./context.ts";

/** Returns true for admins, outside demo mode only with a second factor. An admin with one is at aal2 here: other sessions were rejected before. */
export const isFullAdmin = (actor: Pick<Actor, "role" | "aal"> | null, { config }: Pick<PlatformServices, "config">) =>
  actor?.role === "admin" && (actor.aal === "aal2" || config.demo);

/** Throws `unauthenticated`, `forbidden` for another role, or `second_factor_required` for an admin who needs a second factor and has none. */
export function allowCall(access: Access, context: Pick<Context, "actor" | "services">): void {
  if (access === "public" || access === "booking-key") return;
  const actor = requireActor(context);
  if (access === "admin" && actor.role === "admin" && !isFullAdmin(actor, context.services))
    throw new Problem("forbidden", "Set up two-factor sign-in on your account page first.", {
      code: "second_factor_required",
    });
  if (access === "signed-in" || actor.role === access) return;
  throw new Problem("forbidden", `This is for ${roleLabels[access]} only.`);
}

export const reauthenticationNeeded = () =>
  new Problem("forbidden", "Enter your password again to continue.", { code: "reauthentication_needed" });

/** True for a caller who authenticated within five minutes, and in demo mode for everyone. */
export const isRecentCaller = (context: Pick<Context, "actor" | "services">): boolean =>
  context.services.config.demo || requireActor(context).isRecent;

const roleLabels = { admin: "admins", artist: "artists", promoter: "promoters" } as const;
