/** Every screen of the site by role. test/architecture/screens.test.ts fails if a route has no row. */

import { paths } from "../../src/platform/site-paths.rules.ts";
import { dayMs } from "../../src/platform/time/durations.rules.ts";

/** Placeholder in a URL for the id of the first booking in the viewer's list. */
export const firstOfList = "first";

/** A date that acts can be booked for, not too far ahead. */
const night = new Date(Date.now() + 200 * dayMs).toISOString().slice(0, 10);

/** URLs with the screens of src/web/routes.ts, measured at every width and photographed in every state. */
export const screens = {
  visitor: [
    ["/", "public/landing/landing-page.tsx"],
    [`/?night=${night}&town=Austin&kind=wedding`, "public/landing/landing-page.tsx"],
    ["/artist/electric-dreams", "public/artist/artist-page.tsx"],
    [
      `/compare?artists=electric-dreams,copper-canyon,the-blue-note-trio,ruby-castellano&night=${night}&town=Austin`,
      "public/compare/compare-page.tsx",
    ],
    ["/book/electric-dreams", "public/booking/book-page.tsx"],
    ["/booking-success", "public/success/success-page.tsx"],
    ["/booking/00000000-0000-4000-8000-000000000000", "public/guest-booking/guest-booking-page.tsx"],
    ["/pay/00000000-0000-4000-8000-000000000000/deposit", "public/pay/pay-page.tsx"],
    ["/sign/00000000-0000-4000-8000-000000000000", "public/contract/sign-page.tsx"],
    ["/contact", "public/contact/contact-page.tsx"],
    ["/auth", "auth/sign-in/sign-in-page.tsx"],
    ["/auth?tab=sign-up", "auth/sign-in/sign-in-page.tsx"],
    ["/auth/confirm", "auth/confirm-page.tsx"],
    [paths.undoChange, "auth/password/undo-page.tsx"],
    ["/auth/forgot", "auth/password/forgot-page.tsx"],
    ["/auth/reset", "auth/password/reset-page.tsx"],
    ["/auth/mail", "auth/sign-in/email-code-page.tsx"],
    ["/auth/phone", "auth/sign-in/phone-page.tsx"],
    ["/no-such-page", "public/not-found/not-found-page.tsx"],
    ["/dev/outbox", ""],
  ],
  admin: [
    ["/admin", "admin/overview-page.tsx"],
    ["/admin/artists", "admin/artists/artists-page.tsx"],
    [paths.admin.artist("new"), "admin/artists/artist-page.tsx"],
    [paths.admin.artist(firstOfList), "admin/artists/artist-page.tsx"],
    ["/admin/bookings", "admin/bookings-page.tsx"],
    [paths.admin.holds, "admin/bookings-page.tsx"],
    ["/admin/contracts", "admin/contracts/contracts-page.tsx"],
    [paths.admin.contract(firstOfList), "admin/contracts/contract-page.tsx"],
    [paths.admin.contractTemplates, "admin/templates/templates-page.tsx"],
    [paths.admin.contractTemplate("standard"), "admin/templates/template-page.tsx"],
    ["/admin/payments", "admin/payments/payments-page.tsx"],
    [paths.admin.booking(firstOfList), "admin/booking-page.tsx"],
    ["/admin/users", "admin/users-page.tsx"],
    ["/admin/settings", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=esign", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=notifications", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=brand", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=integrations", "admin/settings/settings-page.tsx"],
    ["/admin/settings/components", "admin/settings/components/components-page.tsx"],
    ["/admin/logs", "admin/logs/logs-page.tsx"],
    ["/account", "account/account-page.tsx"],
  ],
  artist: [
    ["/artist", "artist/overview-page.tsx"],
    ["/artist/bookings", "artist/bookings/bookings-page.tsx"],
    ["/artist/bookings?view=month", "artist/bookings/bookings-page.tsx"],
    ["/artist/bookings?view=week", "artist/bookings/bookings-page.tsx"],
    [paths.artistArea.booking(firstOfList), "artist/bookings/booking-page.tsx"],
    ["/artist/profile", "artist/profile/profile-page.tsx"],
    ["/artist/media", "artist/media/media-page.tsx"],
    ["/artist/payouts", "artist/payouts/payouts-page.tsx"],
    ["/artist/settings", "artist/settings/settings-page.tsx"],
    ["/artist/settings?tab=notifications", "artist/settings/settings-page.tsx"],
    ["/artist/settings?tab=privacy", "artist/settings/settings-page.tsx"],
    ["/artist/settings?tab=preferences", "artist/settings/settings-page.tsx"],
  ],
  promoter: [
    ["/promoter/bookings", "promoter/bookings-page.tsx"],
    [paths.promoterArea.calendar, "promoter/bookings-page.tsx"],
    [paths.promoterArea.booking(firstOfList), "promoter/booking-page.tsx"],
    [paths.promoterArea.holds, "promoter/holds/holds-page.tsx"],
    [paths.promoterArea.newHold("electric-dreams"), "promoter/holds/new-hold-page.tsx"],
    ["/promoter/payments", "promoter/payments-page.tsx"],
    ["/promoter/settings", "promoter/settings-page.tsx"],
    ["/promoter/settings?tab=notifications", "promoter/settings-page.tsx"],
    ["/promoter/settings?tab=preferences", "promoter/settings-page.tsx"],
    [paths.promoterArea.settings("calendar"), "promoter/settings-page.tsx"],
  ],
} as const;

/** Excluded: a screen that only redirects, and one that requires a second factor. */
export const unpictured = ["auth/dashboard-page.tsx", "auth/codes/code-page.tsx"];
