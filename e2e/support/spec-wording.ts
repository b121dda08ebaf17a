/**
 * The specification's visible words by route and role, checked by e2e/site/wording.spec.ts. spec-wording-areas.ts has the
 * words of settings, profile, media, payouts and payments.
 */
export type Reader = "visitor" | "admin" | "artist" | "promoter";

export type Screen = Readonly<{
  reader: Reader;
  /** The URL. The response status is 200 unless given. */
  at: string;
  status?: number;
  /** Visible texts: headings, labels and buttons, in this case and order. */
  words: readonly string[];
  placeholders?: readonly string[];
  fields?: readonly string[];
  /** The options of a select, by its accessible name. */
  choices?: Readonly<Record<string, readonly string[]>>;
}>;

const header = ["Browse Artists", "Contact", "Sign In"];
export const signedIn = ["Sign Out"];
const nothing = "zzzzqqqq";

export const screens: readonly Screen[] = [
  {
    reader: "visitor",
    at: "/",
    words: [
      ...header,
      "Book Amazing Artists",
      "Find Artists",
      "Get Started",
      "Vetted Artists",
      "Easy Booking",
      "Quality Guaranteed",
      "View Profile",
    ],
    fields: ["search", "genre"],
  },
  { reader: "visitor", at: `/?search=${nothing}`, words: ["No artists found matching your search."] },
  {
    reader: "visitor",
    at: "/artist/electric-dreams",
    words: [...header, "Electric Dreams", "Recent Reviews", "Book Me Now", "Specialties", "Equipment"],
  },
  { reader: "visitor", at: "/artist/nobody-by-this-name", status: 404, words: ["Artist not found"] },
  { reader: "visitor", at: "/book/nobody-by-this-name", status: 404, words: ["Artist not found"] },
  {
    reader: "visitor",
    at: "/book/electric-dreams",
    words: [
      "Full name",
      "Email",
      "Phone",
      "Event date",
      "Event time",
      "Event location",
      "Event type",
      "within 24 hours",
    ],
    fields: [
      "clientName",
      "clientEmail",
      "clientPhone",
      "eventDate",
      "eventTime",
      "eventLocation",
      "eventType",
      "guestCount",
      "duration",
      "specialRequests",
    ],
  },
  {
    reader: "visitor",
    at: "/auth",
    words: ["Sign In", "Sign Up", "Email", "Password"],
    fields: ["email", "password"],
  },
  {
    reader: "visitor",
    at: "/auth?tab=sign-up",
    words: [
      "Full name",
      "Email",
      "Password",
      "Promoter / Event Organizer",
      "Artist / Performer",
      "Admin",
      "For testing",
    ],
    fields: ["name", "email", "password", "role"],
  },
  { reader: "visitor", at: "/contact", words: [...header, "Contact"] },
  { reader: "visitor", at: "/nowhere", status: 404, words: ["404", "Oops! Page not found", "Return to Home"] },
  // Redirects immediately. The words are read while the account is loading.
  { reader: "promoter", at: "/dashboard", words: ["Redirecting to your dashboard"] },
  { reader: "promoter", at: "/", words: ["Get Started", "Dashboard", "Sign Out"] },
  {
    reader: "promoter",
    at: "/promoter/bookings",
    words: ["Promoter Dashboard", "Bookings", "Pay Deposit", "Pay Balance", ...signedIn],
  },
  {
    reader: "promoter",
    at: `/promoter/bookings?search=${nothing}`,
    words: ["No bookings found matching your criteria."],
  },
  {
    reader: "artist",
    at: "/artist",
    words: [
      "Artist Dashboard",
      "Overview",
      "Bookings",
      "Upcoming Shows",
      "Awaiting Signature",
      "Deposits This Month",
      "Outstanding Balances",
      ...signedIn,
    ],
  },
  { reader: "artist", at: "/artist/bookings", words: ["Artist Dashboard", "Bookings", ...signedIn] },
  {
    reader: "admin",
    at: "/admin",
    words: [
      "Admin Panel",
      "Overview",
      "Bookings",
      "Users",
      "last 30 days",
      "Successful payments",
      "Contracts signed",
      "Active artists",
      ...signedIn,
    ],
  },
  {
    reader: "admin",
    at: "/admin/bookings",
    words: [
      "Admin Panel",
      "Bookings",
      "All",
      "Initiated",
      "Deposit paid",
      "Contract sent",
      "Contract signed",
      "Completed",
      "Canceled",
      ...signedIn,
    ],
  },
  {
    reader: "admin",
    at: `/admin/bookings?search=${nothing}`,
    words: ["No bookings found matching your criteria."],
  },
  {
    reader: "admin",
    at: "/admin/users",
    words: ["User Management", "Joined", ...signedIn],
    placeholders: ["Search by name or email..."],
    choices: { Role: ["All Roles", "Admin", "Artist", "Promoter"] },
  },
  { reader: "admin", at: "/admin/users?role=admin", words: ["ADMIN"] },
  {
    reader: "admin",
    at: `/admin/users?search=${nothing}`,
    words: ["No users found", "Try adjusting your search or filters"],
  },
  { reader: "admin", at: "/admin/artists", words: ["Artists", "Active", ...signedIn] },
  {
    reader: "admin",
    at: `/admin/artists?search=${nothing}`,
    words: ["No artists found matching your search."],
  },
  {
    reader: "admin",
    at: "/admin/contracts",
    words: ["Contracts", ...signedIn],
    choices: { Status: ["All statuses", "Draft", "Sent", "Signed", "Declined"] },
  },
  { reader: "admin", at: `/admin/contracts?search=${nothing}`, words: ["No contracts found"] },
  {
    reader: "admin",
    at: "/admin/payments",
    words: [
      "Payments Management",
      "Monitor and manage platform payments",
      "Total Revenue",
      "Total Transactions",
      "Refresh",
      "Payment History",
      ...signedIn,
    ],
  },
  { reader: "admin", at: "/admin/payments?status=requires_payment_method", words: ["Pending Payment"] },
  { reader: "admin", at: `/admin/payments?search=${nothing}`, words: ["No payments found"] },
  {
    reader: "admin",
    at: "/admin/logs",
    words: ["Activity Logs", ...signedIn],
    choices: { Type: ["All", "booking", "contract", "payment", "notification", "system"] },
  },
  { reader: "admin", at: `/admin/logs?search=${nothing}`, words: ["No logs found"] },
];
