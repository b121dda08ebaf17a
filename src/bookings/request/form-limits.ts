import type { Payments } from "#gateway/gateway.ts";
import { invalid } from "#platform/errors.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import type { Context } from "#platform/http/context.ts";
import type { BookingRequest } from "./form.api.ts";

type Http = Context<Payments>;

/** The limits: forms per network and hour, stored requests per network and hour, per artist and day, and per mailbox and day. */
const formLimits = {
  triesHour: { demo: 500, production: 60 },
  hour: { demo: 50, production: 5 },
  artistDay: { demo: 200, production: 20 },
  mailboxDay: { demo: 50, production: 5 },
} as const;

/** The least seconds between opening and sending the form. Programs that test the demo are faster. */
const minSeconds = { demo: 0, production: 2 } as const;

/** Throws invalid input (400) for a form that a program filled in: with the hidden field or too fast. */
export function refuseBots({ services }: Http, { website, filledSeconds }: BookingRequest): void {
  const tooFast = (filledSeconds ?? Infinity) < minSeconds[services.config.demo ? "demo" : "production"];
  if (website === undefined && !tooFast) return;
  throw invalid("This form was sent faster than a person can fill it in. Wait a moment and send it again.");
}

const mailboxLimit = (mode: keyof typeof formLimits.mailboxDay, email: string) => ({
  key: `booking mailbox ${email.toLowerCase()}`,
  max: formLimits.mailboxDay[mode],
  message: "Many requests were sent with this address today. Sign in, or try again tomorrow.",
});

/** Runs `write` within the limit of requests per mailbox and day. Throws too many requests (429) above it. A refused one does not count. `refused`: another message than the promoter's. */
export async function withinMailboxLimit<T>(
  { services: { limits, config } }: Http,
  email: string,
  write: () => Promise<T>,
  refused?: string,
): Promise<T> {
  const { key, max, message } = mailboxLimit(config.demo ? "demo" : "production", email);
  await limits.hit(key, max, 86_400, refused ?? message);
  try {
    return await write();
  } catch (error) {
    await limits.release(key);
    throw error;
  }
}

/** Runs `store` within the limits. Throws too many requests (429) above one. A refused form counts only against the limit of forms. */
export async function withinFormLimits<T>(
  { services, request, actor }: Http,
  form: Readonly<{ artistId: string; email: string }>,
  store: () => Promise<T>,
): Promise<T> {
  const { limits } = services;
  const mode = services.config.demo ? "demo" : "production";
  const network = limitBlock(request);
  await limits.hit(`booking form tries ${network}`, formLimits.triesHour[mode], 3_600);
  const guests = [
    {
      key: `booking artist ${form.artistId}`,
      max: formLimits.artistDay[mode],
      message: "This artist has many requests today. Sign in, or try again tomorrow.",
    },
    mailboxLimit(mode, form.email),
  ].map((limit) => ({ ...limit, seconds: 86_400 }));
  const counted: string[] = [];
  try {
    for (const { key, max, seconds, message } of [
      { key: `booking form ${network}`, max: formLimits.hour[mode], seconds: 3_600, message: undefined },
      ...(actor?.emailVerified ? [] : guests),
    ]) {
      counted.push(key);
      await limits.hit(key, max, seconds, message);
    }
    return await store();
  } catch (error) {
    for (const key of counted) await limits.release(key);
    throw error;
  }
}
