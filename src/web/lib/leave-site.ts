/** Leaving for a page of another site, such as a provider's checkout. */

/** Opens the address in this tab; the page that is left stays in the history. */
export const leaveFor = (address: string): void => window.location.assign(address);

/** Opens the address in place of this page, so that "back" leads to the page before it. */
export const continueAt = (address: string): void => window.location.replace(address);
