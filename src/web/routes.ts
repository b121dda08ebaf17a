/** Which file draws which address. Dashboards bring their own layout with the guard. */
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

export default [
  route("robots.txt", "public/robots.ts"),
  layout("public/site-layout.tsx", [
    index("public/landing/landing-page.tsx"),
    route("artist/:slug", "public/artist/artist-page.tsx"),
    route("book/:slug", "public/booking/book-page.tsx"),
    route("booking-success", "public/booking/success-page.tsx"),
    route("pay/:bookingId/:kind", "public/booking/pay-page.tsx"),
    route("booking/:id", "public/guest-booking/guest-booking-page.tsx"),
    route("contact", "public/contact/contact-page.tsx"),
    route("auth", "auth/sign-in/sign-in-page.tsx"),
    route("auth/confirm", "auth/confirm-page.tsx"),
    route("auth/forgot", "auth/password/forgot-page.tsx"),
    route("auth/reset", "auth/password/reset-page.tsx"),
    route("auth/code", "auth/codes/code-page.tsx"),
    route("auth/mail", "auth/sign-in/email-code-page.tsx"),
    route("auth/phone", "auth/sign-in/phone-page.tsx"),
    route("dashboard", "auth/dashboard-page.tsx"),
    route("*", "public/not-found-page.tsx"),
  ]),
  layout("account/account-layout.tsx", [route("account", "account/account-page.tsx")]),
  layout("admin/admin-layout.tsx", [
    route("admin", "admin/overview-page.tsx"),
    route("admin/bookings", "admin/bookings-page.tsx"),
    route("admin/users", "admin/users-page.tsx"),
  ]),
  layout("artist/artist-layout.tsx", [
    route("artist", "artist/overview-page.tsx"),
    route("artist/bookings", "artist/bookings-page.tsx"),
  ]),
  layout("promoter/promoter-layout.tsx", [route("promoter/bookings", "promoter/bookings-page.tsx")]),
] satisfies RouteConfig;
