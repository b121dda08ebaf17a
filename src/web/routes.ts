import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { paths, routePattern } from "../platform/site-paths.rules.ts";

const page = (address: string, file: string) => route(routePattern(address), file);

export default [
  route("robots.txt", "public/robots.ts"),
  layout("public/site-layout.tsx", [
    index("public/landing/landing-page.tsx"),
    page(paths.artist(":slug"), "public/artist/artist-page.tsx"),
    page(paths.compare([]), "public/compare/compare-page.tsx"),
    page(paths.book(":slug"), "public/booking/book-page.tsx"),
    page(paths.bookingSuccess, "public/success/success-page.tsx"),
    page(paths.guestBooking(":id"), "public/guest-booking/guest-booking-page.tsx"),
    page(paths.pay(":bookingId", ":kind"), "public/pay/pay-page.tsx"),
    page(paths.sign(":key"), "public/contract/sign-page.tsx"),
    page(paths.contact, "public/contact/contact-page.tsx"),
    page(paths.signIn, "auth/sign-in/sign-in-page.tsx"),
    layout("auth/step-layout.tsx", [
      page(paths.confirm, "auth/confirm-page.tsx"),
      page(paths.undoChange, "auth/password/undo-page.tsx"),
      page(paths.forgotPassword, "auth/password/forgot-page.tsx"),
      page(paths.resetPassword, "auth/password/reset-page.tsx"),
      page(paths.code, "auth/codes/code-page.tsx"),
      page(paths.signInByMail, "auth/sign-in/email-code-page.tsx"),
      page(paths.signInByPhone, "auth/sign-in/phone-page.tsx"),
    ]),
    page(paths.dashboard, "auth/dashboard-page.tsx"),
    route("*", "public/not-found/not-found-page.tsx"),
  ]),
  // The layouts below require a sign-in: dashboard/shell/guard.tsx.
  layout("account/account-layout.tsx", [page(paths.account, "account/account-page.tsx")]),
  layout("admin/admin-layout.tsx", [
    page(paths.admin.overview, "admin/overview-page.tsx"),
    page(paths.admin.artists, "admin/artists/artists-page.tsx"),
    page(paths.admin.artist(":id"), "admin/artists/artist-page.tsx"),
    page(paths.admin.bookings, "admin/bookings-page.tsx"),
    page(paths.admin.contracts, "admin/contracts/contracts-page.tsx"),
    page(paths.admin.contractTemplates, "admin/templates/templates-page.tsx"),
    page(paths.admin.contractTemplate(":id"), "admin/templates/template-page.tsx"),
    page(paths.admin.contract(":id"), "admin/contracts/contract-page.tsx"),
    page(paths.admin.payments, "admin/payments/payments-page.tsx"),
    page(paths.admin.booking(":id"), "admin/booking-page.tsx"),
    page(paths.admin.users, "admin/users-page.tsx"),
    page(paths.admin.settings(), "admin/settings/settings-page.tsx"),
    page(paths.admin.components, "admin/settings/components/components-page.tsx"),
    page(paths.admin.logs, "admin/logs/logs-page.tsx"),
  ]),
  layout("artist/artist-layout.tsx", [
    page(paths.artistArea.overview, "artist/overview-page.tsx"),
    page(paths.artistArea.bookings, "artist/bookings/bookings-page.tsx"),
    page(paths.artistArea.booking(":id"), "artist/bookings/booking-page.tsx"),
    page(paths.artistArea.profile, "artist/profile/profile-page.tsx"),
    page(paths.artistArea.media, "artist/media/media-page.tsx"),
    page(paths.artistArea.payouts, "artist/payouts/payouts-page.tsx"),
    page(paths.artistArea.settings(), "artist/settings/settings-page.tsx"),
  ]),
  layout("promoter/promoter-layout.tsx", [
    page(paths.promoterArea.bookings, "promoter/bookings-page.tsx"),
    page(paths.promoterArea.booking(":id"), "promoter/booking-page.tsx"),
    page(paths.promoterArea.holds, "promoter/holds/holds-page.tsx"),
    page(paths.promoterArea.newHold(":slug", ":night?"), "promoter/holds/new-hold-page.tsx"),
    page(paths.promoterArea.payments, "promoter/payments-page.tsx"),
    page(paths.promoterArea.settings(), "promoter/settings-page.tsx"),
  ]),
] satisfies RouteConfig;
