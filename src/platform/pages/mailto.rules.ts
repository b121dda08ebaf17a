/** Returns a link's address. A "?" in the mailbox starts no query. */
export const mailtoOf = (address: string): string => `mailto:${encodeURIComponent(address).replace("%40", "@")}`;
