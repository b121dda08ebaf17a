/** How often somebody may try. A correct password is never counted against its owner. */
import type { AuthCall } from "./call.ts";

/** Tries per account and address block: 10 in 15 minutes, then ever longer waits (6 hours, a day). */
const perAccount = [
  { name: "quarter", max: 10, seconds: 900 },
  { name: "hours", max: 30, seconds: 6 * 3_600 },
  { name: "day", max: 60, seconds: 86_400 },
] as const;
/** Failed tries from one address block on all accounts together. */
const perBlock = { max: 50, seconds: 900 } as const;
/** Failed tries on one account from everywhere; a block its owner has used before is not slowed down by it. */
const perAccountAnywhere = { max: 100, seconds: 3_600 } as const;

/**
 * Counts a try before it is judged, so that parallel guesses cannot slip past; `succeeded` takes it back.
 * `account` is what was typed, known or not. `ownPlace` says whether the account's owner has signed in from this block before.
 */
export async function countTry(
  call: AuthCall,
  account: string,
  ownPlace: () => Promise<boolean>,
): Promise<{ succeeded(): Promise<void> }> {
  const { limits } = call.services;
  const keys = perAccount.map(({ name }) => `sign-in ${name} ${account} ${call.block}`);
  for (const [at, { max, seconds }] of perAccount.entries()) await limits.hit(keys[at] ?? "", max, seconds);
  await limits.hit(
    `sign-in block ${call.block}`,
    perBlock.max + (await limits.count(`sign-in good ${call.block}`)),
    perBlock.seconds,
  );
  const anywhere = `sign-in anywhere ${account}`;
  const others = await limits.count(anywhere);
  const slowed = others >= perAccountAnywhere.max && !(await ownPlace());
  await limits.hit(anywhere, slowed ? 0 : Number.MAX_SAFE_INTEGER, perAccountAnywhere.seconds);
  return {
    succeeded: async () => {
      await Promise.all(keys.map((key) => limits.clear(key)));
      await limits.hit(`sign-in good ${call.block}`, Number.MAX_SAFE_INTEGER, perBlock.seconds);
    },
  };
}

const enoughMessages = "Too many messages were asked for. Please wait a while before asking again.";

/**
 * Messages to one address: 5 an hour from one block, so that a stranger cannot use up the owner's, and 20 from everywhere; 30 an
 * hour from one block to all. Counted alike for known and unknown addresses.
 */
export async function countMessage(call: AuthCall, target: string): Promise<void> {
  const { limits } = call.services;
  await limits.hit(`message block ${call.block}`, 30, 3_600, enoughMessages);
  await limits.hit(`message ${target} ${call.block}`, 5, 3_600, enoughMessages);
  await limits.hit(`message ${target}`, 20, 3_600, enoughMessages);
}

/** Typed codes: 10 in 10 minutes per address block and target. */
export const countCode = (call: Pick<AuthCall, "services" | "block">, target: string) =>
  call.services.limits.hit(`code ${target} ${call.block}`, 10, 600);

/** Sign-ups from one block: 30 an hour. */
export const countSignup = (call: AuthCall) => call.services.limits.hit(`sign-up ${call.block}`, 30, 3_600);

/** Codes of a second factor: 5 in 5 minutes per person and address block, 30 an hour per person. */
export async function countFactorCode(call: AuthCall, userId: string): Promise<void> {
  await call.services.limits.hit(`factor ${userId} ${call.block}`, 5, 300);
  await call.services.limits.hit(`factor ${userId}`, 30, 3_600);
}
