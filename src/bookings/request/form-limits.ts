/** How often the booking form may be sent, and what programs send that fill in every form they find. */
import type { Payments } from "#payments/index.ts";
import { Problem } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { addressBlock } from "#platform/security/limits.ts";
import type { BookingRequest } from "./form.api.ts";

type Http = Context<Payments>;

/** Forms of one network in an hour, requests to one artist in a day, and requests under one address in a day, by people without a verified mailbox. */
const formLimits = {
  hour: { demo: 50, production: 5 },
  artistDay: { demo: 200, production: 20 },
  mailboxDay: { demo: 50, production: 5 },
} as const;

/** The least seconds in which a person fills in the form; programs that walk through the demo are faster. */
const leastSeconds = { demo: 0, production: 2 } as const;

/** Refuses what programs send that fill in every form they find. Nothing is stored, and no email leaves. */
export function refuseProgram({ services }: Http, { website, filledSeconds }: BookingRequest): void {
  const tooFast = (filledSeconds ?? Infinity) < leastSeconds[services.config.demo ? "demo" : "production"];
  if (website === undefined && !tooFast) return;
  throw new Problem(
    "invalid",
    "This form was sent faster than a person can fill it in. Please wait a moment and send it again.",
  );
}

/** Counts a sent form of the network, of the artist and of the mailbox; refuses with 429 what is too many. */
export async function countForm({ services, request, actor }: Http, artistId: string, email: string): Promise<void> {
  const mode = services.config.demo ? "demo" : "production";
  const here = "Too many requests were sent from here. Please wait a little and try again.";
  await services.limits.hit(`booking form ${addressBlock(request.ip)}`, formLimits.hour[mode], 3_600, here);
  if (actor?.emailVerified) return;
  await services.limits.hit(
    `booking artist ${artistId}`,
    formLimits.artistDay[mode],
    86_400,
    "This artist has many requests today. Sign in, or try again tomorrow.",
  );
  await services.limits.hit(
    `booking mailbox ${email.toLowerCase()}`,
    formLimits.mailboxDay[mode],
    86_400,
    "Many requests were sent with this address today. Sign in, or try again tomorrow.",
  );
}
