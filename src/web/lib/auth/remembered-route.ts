/** Where a guard found a person before sending them to sign in. Only route ids, and the id of a page, are kept: never an address. */
import { paths } from "#platform/site-paths.rules.ts";

/** The routes that may be remembered, and where each leads. An id that is not listed leads nowhere. */
const routes: Readonly<Record<string, string>> = {
  account: paths.account,
  "auth.reset": paths.resetPassword,
  "admin.overview": paths.admin.overview,
  "admin.artists": paths.admin.artists,
  "admin.bookings": paths.admin.bookings,
  "admin.contracts": paths.admin.contracts,
  "admin.templates": paths.admin.contractTemplates,
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

const pagesById: Readonly<Record<string, (id: string) => string>> = {
  "admin.booking": paths.admin.booking,
  "admin.contract": paths.admin.contract,
  "artist.booking": paths.artistArea.booking,
  "promoter.booking": paths.promoterArea.booking,
};

const storageKey = "after-sign-in";
const pageId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export function rememberRoute(pathname: string): void {
  const last = pathname.split("/").at(-1) ?? "";
  const route =
    Object.keys(routes).find((id) => routes[id] === pathname) ??
    Object.keys(pagesById)
      .filter((id) => pageId.test(last) && pagesById[id]?.(last) === pathname)
      .map((id) => `${id} ${last}`)[0];
  if (route) sessionStorage.setItem(storageKey, route);
  else sessionStorage.removeItem(storageKey);
}

export function consumeRememberedRoute(home: string = paths.home): string {
  const [id = "", last = ""] = (sessionStorage.getItem(storageKey) ?? "").split(" ");
  sessionStorage.removeItem(storageKey);
  if (Object.hasOwn(pagesById, id) && pageId.test(last)) return pagesById[id]?.(last) ?? home;
  return Object.hasOwn(routes, id) ? (routes[id] ?? home) : home;
}
