/** The page where a guard redirected a user to sign in. Stores only route ids and a page's id, never an address. */

import { paths } from "#platform/site-paths.rules.ts";

/** The routes that may be remembered, with their addresses. An unlisted id leads nowhere. */
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
  "promoter.holds": paths.promoterArea.holds,
  "promoter.payments": paths.promoterArea.payments,
  "promoter.settings": paths.promoterArea.settings(),
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

type Page = Readonly<{ id: RegExp; address(id: string): string }>;

const settingsTab = (settings: (tab: string) => string) => (tab: string) =>
  tab === "" ? settings("-").slice(0, -1) : settings(tab);

const pagesById: Readonly<Record<string, Page>> = {
  "admin.booking": { id: uuid, address: paths.admin.booking },
  "admin.template": { id: /^[a-z\d-]+$/, address: paths.admin.contractTemplate },
  "admin.settingsTab": { id: /^[a-z-]+$/, address: settingsTab(paths.admin.settings) },
  "artist.settingsTab": { id: /^[a-z-]+$/, address: settingsTab(paths.artistArea.settings) },
  "promoter.settingsTab": { id: /^[a-z-]+$/, address: settingsTab(paths.promoterArea.settings) },
  "admin.contract": { id: uuid, address: paths.admin.contract },
  "artist.booking": { id: uuid, address: paths.artistArea.booking },
  "promoter.booking": { id: uuid, address: paths.promoterArea.booking },
  "promoter.newHold": {
    id: /^[a-z\d-]+(?:\/\d{4}-\d{2}-\d{2})?$/,
    address: (id) => {
      const [slug = "", night] = id.split("/");
      return paths.promoterArea.newHold(slug, night);
    },
  },
};

const storageKey = "after-sign-in";
const addressOf = (page: Page | undefined, id: string) => (page?.id.test(id) ? page.address(id) : undefined);

function pageOf(address: string): string | undefined {
  return Object.entries(pagesById)
    .map(([name, page]) => [name, address.slice(page.address("").length)] as const)
    .find(([name, id]) => addressOf(pagesById[name], id) === address)
    ?.join(" ");
}

export function rememberRoute(address: string): void {
  const [pathname = ""] = address.split("?");
  const route = pageOf(address) ?? pageOf(pathname) ?? Object.keys(routes).find((id) => routes[id] === pathname);
  if (route) sessionStorage.setItem(storageKey, route);
  else sessionStorage.removeItem(storageKey);
}

export function consumeRememberedRoute(): string | undefined {
  const [name = "", id = ""] = (sessionStorage.getItem(storageKey) ?? "").split(" ");
  sessionStorage.removeItem(storageKey);
  const page = Object.hasOwn(pagesById, name) ? pagesById[name] : undefined;
  return addressOf(page, id) ?? (Object.hasOwn(routes, name) ? routes[name] : undefined);
}
