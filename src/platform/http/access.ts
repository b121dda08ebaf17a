import { Problem } from "../errors.ts";
import type { Access } from "./api.ts";
import { type Context, requireActor } from "./context.ts";

/** Throws `unauthenticated`, `forbidden` for another role, or outside demo mode `second_factor_required` for an admin without one (design, section 12). An admin with one is at aal2 here: other sessions were rejected before. */
export function allowCall(access: Access, context: Pick<Context, "actor" | "services">): void {
  if (access === "public" || access === "booking-key") return;
  const actor = requireActor(context);
  if (access === "admin" && actor.role === "admin" && actor.aal !== "aal2" && !context.services.config.demo)
    throw new Problem("forbidden", "Set up two-factor sign-in on your account page first.", {
      code: "second_factor_required",
    });
  if (access === "signed-in" || actor.role === access) return;
  throw new Problem("forbidden", `This is for ${roleLabels[access]} only.`);
}

const roleLabels = { admin: "admins", artist: "artists", promoter: "promoters" } as const;
