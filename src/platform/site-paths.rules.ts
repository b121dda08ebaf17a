/** Every address of the site, for screens, routes and emails (test/architecture/site-paths.test.ts). */

type Browse = {
  search?: string;
  genre?: string;
  free?: string;
  price?: string;
  sort?: string;
  cursor?: string;
  night?: string;
  town?: string;
  kind?: string;
  compare?: string | undefined;
};

function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>, anchor = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text ? `?${text}` : ""}${anchor}`;
}

const searched = (date: string | undefined, town: string | undefined) => ({ date, town: date ? town : undefined });

export const documentsAnchor = "documents";

export const paths = {
  home: "/",
  browse: (by: Browse = {}) => withQuery("/", by, "#browse"),
  compare: (
    slugs: string | readonly string[],
    night: { night?: string | undefined; town?: string; kind?: string | undefined } = {},
  ) => withQuery("/compare", { artists: [slugs].flat().join(","), ...night }),
  /** The profile, optionally with the date (YYYY-MM-DD) and the town of a search. */
  artist: (slug: string, date?: string, town?: string) =>
    withQuery(`/artist/${encodeURIComponent(slug)}`, searched(date, town)),
  availability: (slug: string, date?: string) =>
    withQuery(`/artist/${encodeURIComponent(slug)}`, { date }, "#availability"),
  book: (slug: string, date?: string, town?: string) =>
    withQuery(`/book/${encodeURIComponent(slug)}`, searched(date, town)),
  bookingSuccess: "/booking-success",
  /** A promoter's booking without an account. An email has the token of its signed link. */
  guestBooking: (id: string, link?: string) => withQuery(`/booking/${encodeURIComponent(id)}`, { link }),
  sign: (key: string) => `/sign/${encodeURIComponent(key)}`,
  contact: "/contact",
  sandboxPayment: (ref: string) => `/sandbox/payment/${encodeURIComponent(ref)}`,
  dashboard: "/dashboard",
  signIn: "/auth",
  signUp: "/auth?tab=sign-up",
  signUpAs: (person: { name: string; email: string }) => withQuery("/auth", { tab: "sign-up", ...person }),
  confirm: "/auth/confirm",
  undoChange: "/auth/undo",
  forgotPassword: "/auth/forgot",
  resetPassword: "/auth/reset",
  code: "/auth/code",
  signInByMail: "/auth/mail",
  signInByPhone: "/auth/phone",
  account: "/account",
  admin: {
    overview: "/admin",
    artists: "/admin/artists",
    artistsOf: (active: "active" | "inactive") => withQuery("/admin/artists", { active }),
    artistsNamed: (search: string) => withQuery("/admin/artists", { search }),
    artist: (id: string) => `/admin/artists/${encodeURIComponent(id)}`,
    bookings: "/admin/bookings",
    holds: "/admin/bookings?view=holds",
    booking: (id: string) => `/admin/bookings/${encodeURIComponent(id)}`,
    bookingsOf: (status: string) => withQuery("/admin/bookings", { status }),
    bookingsSince: (from: string) => withQuery("/admin/bookings", { from }),
    contracts: "/admin/contracts",
    contract: (id: string) => `/admin/contracts/${encodeURIComponent(id)}`,
    contractTemplates: "/admin/contracts/templates",
    contractTemplate: (id: string) => `/admin/contracts/templates/${encodeURIComponent(id)}`,
    contractsOf: (status: string, from?: string) => withQuery("/admin/contracts", { status, from }),
    payments: "/admin/payments",
    paymentsOf: (status: string, days: { from?: string; to?: string } = {}) =>
      withQuery("/admin/payments", { status, ...days }),
    users: "/admin/users",
    logs: "/admin/logs",
    logsOf: (type: string) => withQuery("/admin/logs", { type }),
    settings: (tab?: string) => withQuery("/admin/settings", { tab }),
    components: "/admin/settings/components",
  },
  artistArea: {
    overview: "/artist",
    bookings: "/artist/bookings",
    calendar: "/artist/bookings?view=month",
    bookingsOf: (show: string) => withQuery("/artist/bookings", { show }),
    /** The calendar with the holds of one night open, YYYY-MM-DD. */
    heldNight: (night: string) => withQuery("/artist/bookings", { view: "month", month: night.slice(0, 7), night }),
    booking: (id: string) => `/artist/bookings/${encodeURIComponent(id)}`,
    profile: "/artist/profile",
    media: "/artist/media",
    payouts: "/artist/payouts",
    settings: (tab?: string) => withQuery("/artist/settings", { tab }),
  },
  promoterArea: {
    bookings: "/promoter/bookings",
    calendar: "/promoter/bookings?view=month",
    bookingsOf: (show: string) => withQuery("/promoter/bookings", { show }),
    booking: (id: string) => `/promoter/bookings/${encodeURIComponent(id)}`,
    holds: "/promoter/holds",
    hold: (id: string) => `/promoter/holds#${encodeURIComponent(id)}`,
    newHold: (slug: string, night?: string) =>
      `/promoter/holds/new/${encodeURIComponent(slug)}${night ? `/${encodeURIComponent(night)}` : ""}`,
    payments: "/promoter/payments",
    settings: (tab?: string) => withQuery("/promoter/settings", { tab }),
  },
  pay: (bookingId: string, kind: "deposit" | "balance" | ":kind") => `/pay/${encodeURIComponent(bookingId)}/${kind}`,
} as const;

export const searchedList = (list: string, search: string): string => withQuery(list, { search });

export const documentsOn = (bookingPage: string): string => `${bookingPage}#${documentsAnchor}`;

export const routePattern = (address: string): string => decodeURIComponent(address).slice(1);
