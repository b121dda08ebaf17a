export const goToAddress = (address: string): void => window.location.assign(address);

/** Replaces this page in the history, so "back" leads to the page before it. */
export const replaceWithAddress = (address: string): void => window.location.replace(address);
