/** Whether a person may call an endpoint at all; checked before every handler, over HTTP and in process. */
import { Problem } from "../errors.ts";
import type { Access } from "./api.ts";
import { type Context, requireActor } from "./context.ts";

/** Lets the call pass, or throws `unauthenticated` (nobody is signed in) or `forbidden` (another role is needed). */
export function allowCall(access: Access, context: Pick<Context, "actor">): void {
  if (access === "public" || access === "booking-key") return;
  const actor = requireActor(context);
  if (access === "signed-in" || actor.role === access) return;
  throw new Problem("forbidden", `This is for ${roleWords[access]} only.`);
}

const roleWords = { admin: "admins", artist: "artists", promoter: "promoters" } as const;
