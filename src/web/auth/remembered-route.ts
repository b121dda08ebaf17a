/** Where a guard found a person before sending them to sign in. Only route ids are kept, never an address. */
import { paths } from "../paths.ts";

/** The routes that may be remembered, and where each leads. An id that is not listed leads nowhere. */
const routes = {
  account: paths.account,
  "auth.reset": paths.resetPassword,
  "admin.overview": paths.admin.overview,
  "admin.bookings": paths.admin.bookings,
  "admin.users": paths.admin.users,
  "artist.overview": paths.artistArea.overview,
  "artist.bookings": paths.artistArea.bookings,
  "promoter.bookings": paths.promoterArea.bookings,
} as const;

const storageKey = "after-sign-in";

/** Remembers the guarded page at an address, for this tab; another address is forgotten. */
export function rememberRoute(pathname: string): void {
  const id = Object.entries(routes).find(([, path]) => path === pathname)?.[0];
  if (id) sessionStorage.setItem(storageKey, id);
}

/** The remembered page's address, once; the home page when there is none. */
export function takeRememberedRoute(): string {
  const id = sessionStorage.getItem(storageKey) ?? "";
  sessionStorage.removeItem(storageKey);
  return Object.hasOwn(routes, id) ? routes[id as keyof typeof routes] : paths.home;
}
