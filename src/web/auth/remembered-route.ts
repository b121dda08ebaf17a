/** Where a guard found a person before sending them to sign in. Only route ids, and the id of a booking, are kept: never an address. */
import { paths } from "../paths.ts";

/** The routes that may be remembered, and where each leads. An id that is not listed leads nowhere. */
const routes: Readonly<Record<string, string>> = {
  account: paths.account,
  "auth.reset": paths.resetPassword,
  "admin.overview": paths.admin.overview,
  "admin.artists": paths.admin.artists,
  "admin.bookings": paths.admin.bookings,
  "admin.contracts": paths.admin.contracts,
  "admin.payments": paths.admin.payments,
  "admin.users": paths.admin.users,
  "admin.settings": paths.admin.settings(),
  "admin.logs": paths.admin.logs,
  "artist.overview": paths.artistArea.overview,
  "artist.bookings": paths.artistArea.bookings,
  "artist.profile": paths.artistArea.profile,
  "artist.media": paths.artistArea.media,
  "artist.payouts": paths.artistArea.payouts,
  "artist.settings": paths.artistArea.settings(),
  "promoter.bookings": paths.promoterArea.bookings,
  "promoter.payments": paths.promoterArea.payments,
  "promoter.settings": paths.promoterArea.settings(),
};

/** The page of one booking, where most emails lead. */
const bookingRoutes: Readonly<Record<string, (id: string) => string>> = {
  "admin.booking": paths.admin.booking,
  "artist.booking": paths.artistArea.booking,
  "promoter.booking": paths.promoterArea.booking,
};

const storageKey = "after-sign-in";
const bookingId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Remembers the guarded page at an address, for this tab; another address is forgotten. */
export function rememberRoute(pathname: string): void {
  const booking = pathname.split("/").at(-1) ?? "";
  const route =
    Object.keys(routes).find((id) => routes[id] === pathname) ??
    Object.keys(bookingRoutes)
      .filter((id) => bookingId.test(booking) && bookingRoutes[id]?.(booking) === pathname)
      .map((id) => `${id} ${booking}`)[0];
  if (route) sessionStorage.setItem(storageKey, route);
}

/** The remembered page's address, once; the home page when there is none. */
export function takeRememberedRoute(): string {
  const [id = "", booking = ""] = (sessionStorage.getItem(storageKey) ?? "").split(" ");
  sessionStorage.removeItem(storageKey);
  if (Object.hasOwn(bookingRoutes, id) && bookingId.test(booking)) return bookingRoutes[id]?.(booking) ?? paths.home;
  return Object.hasOwn(routes, id) ? (routes[id] ?? paths.home) : paths.home;
}
