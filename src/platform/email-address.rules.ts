/** One ASCII mailbox with a domain that has an ending. Equal to zod's own check. */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

export const maxEmailLength = 254;

/** Returns what is wrong with an address, or undefined. `why` completes "so that …". */
export function emailMessage(address: string, why: string): string | undefined {
  if (emailPattern.test(address) && address.length <= maxEmailLength) return undefined;
  if (/^[^\s@]+@[^\s@.]+$/.test(address)) return `This address has no ending such as .com. Add it so that ${why}.`;
  return `This is not an email address. Write it like name@example.com so that ${why}.`;
}
