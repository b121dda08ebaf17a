/** Every address of the site. Nobody else writes one down. */

type Browse = {
  search?: string;
  genre?: string;
  free?: string;
  price?: string;
  sort?: string;
  cursor?: string;
};

/** Writes a query string; empty values are left out, so that an address says only what was chosen. */
function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>, anchor = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text ? `?${text}` : ""}${anchor}`;
}

export const paths = {
  home: "/",
  /** The landing page at its list of artists. */
  browse: (by: Browse = {}) => withQuery("/", by, "#browse"),
  artist: (slug: string) => `/artist/${encodeURIComponent(slug)}`,
  /** The artist's calendar on their page. */
  availability: (slug: string) => `/artist/${encodeURIComponent(slug)}#availability`,
  /** The booking form, with a date already chosen when there is one (YYYY-MM-DD). */
  book: (slug: string, date?: string) => withQuery(`/book/${encodeURIComponent(slug)}`, { date }),
  bookingSuccess: "/booking-success",
  contact: "/contact",
  dashboard: "/dashboard",
  signIn: "/auth",
  signUp: "/auth?tab=sign-up",
  /** The sign-up with what is known of the person already. */
  signUpAs: (person: { name: string; email: string }) => withQuery("/auth", { tab: "sign-up", ...person }),
  /** A booking's page without an account, for the browser that asked and for the readers of its emails. */
  guestBooking: (bookingId: string) => `/booking/${encodeURIComponent(bookingId)}`,
  confirm: "/auth/confirm",
  forgotPassword: "/auth/forgot",
  resetPassword: "/auth/reset",
  /** The second step of a sign-in, when a second factor is set up. */
  code: "/auth/code",
  /** Signing in without a password, by a code in an email. */
  signInByMail: "/auth/mail",
  /** Signing in with the account's number, by password or by a code in an SMS. */
  signInByPhone: "/auth/phone",
  /** One's own account, whatever the role. */
  account: "/account",
  admin: {
    overview: "/admin",
    bookings: "/admin/bookings",
    /** The list, narrowed to one status. */
    bookingsOf: (status: string) => withQuery("/admin/bookings", { status }),
    users: "/admin/users",
  },
  artistArea: { overview: "/artist", bookings: "/artist/bookings" },
  promoterArea: { bookings: "/promoter/bookings" },
  /** A real link that opens the provider's page for one payment of a booking. */
  pay: (bookingId: string, kind: "deposit" | "balance") => `/pay/${encodeURIComponent(bookingId)}/${kind}`,
} as const;
