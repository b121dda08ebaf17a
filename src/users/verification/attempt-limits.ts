/** Limits of attempts. A correct password never counts against its owner, and a stranger's attempts do not block the owner's known networks. */

import { recordNotice } from "#platform/db/platform.store.ts";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { type AccountLookup, isKnownNetwork } from "../sessions/known-networks.store.ts";

/** Attempts per account and address block: 10 in 15 minutes, then for longer times (6 hours, a day). */
const perAccount = [
  { name: "quarter", max: 10, seconds: 900 },
  { name: "hours", max: 30, seconds: 6 * 3_600 },
  { name: "day", max: 60, seconds: 86_400 },
] as const;
/** Failed attempts from one address block on all accounts together. */
const perBlock = { name: "block", max: 50, seconds: 900 } as const;
/** The same if the block is that of a proxy that TRUSTED_PROXIES does not list: it counts all visitors, and only stops many guesses. */
const perSharedBlock = { name: "shared block", max: 500, seconds: 3_600 } as const;

/** The origin of an attempt. `block` is the address block that limits count as one caller. */
export type Origin = Readonly<{ services: PlatformServices; block: string; isShared?: boolean }>;
type GlobalLimit = { key: string; max: number; seconds: number };
type Attempt = { succeeded(): Promise<void> };
export type CountSent = () => Promise<number>;

async function hitGlobally(
  { services, block }: Origin,
  lookup: AccountLookup,
  limit: GlobalLimit,
  secondFactor = false,
) {
  try {
    await services.limits.hit(limit.key, limit.max, limit.seconds);
  } catch (error) {
    const full = error instanceof Problem && error.kind === "too_many";
    if (!full || !(await isKnownNetwork(services, lookup, block, secondFactor))) throw error;
  }
}

/** Counts a password attempt before the check. `succeeded` reverts it. 100 failures an hour from everywhere. */
export async function countSignInAttempt(call: Origin, lookup: AccountLookup): Promise<Attempt> {
  const { limits } = call.services;
  const keys = perAccount.map(({ name }) => `sign-in ${name} ${lookup.value} ${call.block}`);
  for (const [at, { max, seconds }] of perAccount.entries()) await limits.hit(keys[at] ?? "", max, seconds);
  const { name: blockName, max: blockMax, seconds: blockSeconds } = call.isShared ? perSharedBlock : perBlock;
  const good = `sign-in good ${blockName} ${call.block}`;
  await limits.hit(`sign-in ${blockName} ${call.block}`, blockMax + (await limits.count(good)), blockSeconds);
  const anywhere = `sign-in anywhere ${lookup.value}`;
  await hitGlobally(call, lookup, { key: anywhere, max: 100, seconds: 3_600 });
  return {
    succeeded: async () => {
      // Failures of other callers stay counted.
      await Promise.all([...keys.map((key) => limits.clear(key)), limits.release(anywhere)]);
      await limits.hit(good, Number.MAX_SAFE_INTEGER, blockSeconds);
    },
  };
}

function accountLookupOf(target: string): AccountLookup {
  if (target.includes("@")) return { column: "email", value: target };
  return { column: target.includes("-") ? "id" : "phone", value: target };
}

/** Messages to one address: 5 an hour per block, 20 from everywhere, 30 an hour per block to all. Equal for unknown addresses. */
export async function countMessage(call: Origin, target: string): Promise<void> {
  const { limits } = call.services;
  await limits.hit(`message block ${call.block}`, 30, 3_600);
  await limits.hit(`message ${target} ${call.block}`, 5, 3_600);
  await hitGlobally(call, accountLookupOf(target), { key: `message ${target}`, max: 20, seconds: 3_600 });
}

/** SMS to one number: 10 a day from everywhere in addition to the limits of every message, because they cost money. `smsCodesPerDay` to all new numbers together, as many to owners on known networks, and as many on others. Returns a function that counts the SMS once it is enqueued, because requests for unknown numbers send none. */
export async function countSms(call: Origin, phone: string, isNew = false): Promise<CountSent> {
  const { limits, config, database, realClock } = call.services;
  const lookup = accountLookupOf(phone);
  const isKnown = await isKnownNetwork(call.services, lookup, call.block);
  const key = isNew ? "sms new" : isKnown ? "sms known" : "sms";
  if ((await limits.count(key)) >= config.smsCodesPerDay) {
    await database.transaction((tx) => recordNotice(tx, "sms_codes", realClock.now()));
    await limits.hit(key, config.smsCodesPerDay, 86_400, tooManySms);
  }
  await countMessage(call, phone);
  await hitGlobally(call, lookup, { key: `sms ${phone}`, max: 10, seconds: 86_400 });
  return () => limits.hit(key, Number.MAX_SAFE_INTEGER, 86_400);
}

const tooManySms =
  "No more codes can be sent by SMS today. Try again tomorrow. You can still sign in with your email address.";

/** New numbers of a user: 5 a day, because each costs an SMS. */
export const countPhoneChange = (call: Origin, userId: string) =>
  call.services.limits.hit(`phone change ${userId}`, 5, 86_400);

/** Wrong codes from one address block, within a code's lifetime, after which that block must wait. The link stays valid. */
const codeAttempts = 5;

/** Counts a wrong code per block and target, and 30 an hour and 100 a day from everywhere. `succeeded` reverts the count. */
export async function countCode(call: Origin, target: string): Promise<Attempt> {
  const here = `code ${target} ${call.block}`;
  await call.services.limits.hit(here, codeAttempts, lifetimes.code);
  const lookup = accountLookupOf(target);
  const [anywhere, day] = [`code anywhere ${target}`, `code day ${target}`];
  await hitGlobally(call, lookup, { key: anywhere, max: 30, seconds: 3_600 });
  await hitGlobally(call, lookup, { key: day, max: 100, seconds: 86_400 });
  return reverted(call, here, [anywhere, day]);
}

/** `succeeded` clears the count of the caller's block, and releases only this attempt from the counts of all callers. */
const reverted = ({ services: { limits } }: Origin, here: string, anywhere: readonly string[]): Attempt => ({
  succeeded: async () => {
    await Promise.all([limits.clear(here), ...anywhere.map((key) => limits.release(key))]);
  },
});

export const countSignup = (call: Origin) => call.services.limits.hit(`sign-up ${call.block}`, 30, 3_600);

/** Wrong second-factor codes: 5 in 5 minutes per user and block, 30 an hour per user from unknown networks. */
export async function countFactorCode(call: Origin, userId: string): Promise<Attempt> {
  const here = `factor ${userId} ${call.block}`;
  await call.services.limits.hit(here, 5, 300);
  const lookup = { column: "id", value: userId } as const;
  const anywhere = `factor ${userId}`;
  await hitGlobally(call, lookup, { key: anywhere, max: 30, seconds: 3_600 }, true);
  return reverted(call, here, [anywhere]);
}

/** Sessions by password: 30 in 15 minutes per account. A demo's accounts are shared. */
export const countOpenedSession = ({ services }: Pick<Origin, "services">, userId: string): Promise<number> =>
  services.limits.hit(`sessions opened ${userId}`, services.config.demo ? 600 : 30, 900);
