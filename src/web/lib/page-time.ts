/** The time and the time zones that a page shows as the server rendered it, until it is hydrated: the viewer's are not known there. */
export type PageTime = Readonly<{ now: string; zone: string; platformZone: string }>;

let read: () => PageTime | undefined = () => undefined;

/** Returns undefined in a hydrated page, which knows the viewer's time and zone. */
export const pageTime = (): PageTime | undefined => read();

/** The server reads it from the page that it renders, the browser from the page that it hydrates. */
export const readPageTimeFrom = (source: () => PageTime | undefined): void => {
  read = source;
};
