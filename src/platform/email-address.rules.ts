/** One ASCII mailbox (RFC 5322, dot-atom) with a domain that has an ending, which may be an encoded international one. */
export const emailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]+)$/;

export const maxEmailLength = 254;

export const withoutAddresses = (text: string): string => text.replaceAll(/[^\s<>]+@[^\s<>]+/g, "…");

export const isEmailAddress = (text: string): boolean => emailPattern.test(text) && text.length <= maxEmailLength;

/** Returns a name, or "" for an address: an account without a name has its address as its name, which the artist must not see before the contract. */
export const unlessAddress = (name: string | null): string => (name === null || isEmailAddress(name) ? "" : name);

/** Stored in place of the address of a deleted account or an old request. RFC 2606 reserves its ending, so it has no mailbox. */
export const erasedEmail = "deleted@deleted.invalid";

export const isErasedEmail = (address: string): boolean =>
  address.toLowerCase().endsWith(erasedEmail.slice(erasedEmail.indexOf("@")));

/** Returns what is wrong with an address, or undefined. `why` completes "so that …". */
export function emailMessage(address: string, why: string): string | undefined {
  if (isEmailAddress(address)) return undefined;
  if (address === "") return "Enter your email address.";
  if (/^[^\s@]+@[^\s@.]+$/.test(address)) return `This address has no ending such as .com. Add it so that ${why}.`;
  return `This is not an email address. Write it like name@example.com so that ${why}.`;
}
