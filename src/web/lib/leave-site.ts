export const leaveFor = (address: string): void => window.location.assign(address);

/** Opens the address in place of this page, so that "back" leads to the page before it. */
export const continueAt = (address: string): void => window.location.replace(address);
