import { paths } from "#platform/site-paths.rules.ts";
import type { Route } from "./+types/robots.ts";

const closed = [
  "/api/",
  paths.signIn,
  paths.dashboard,
  paths.admin.overview,
  "/promoter/",
  `${paths.artistArea.overview}$`,
  paths.artistArea.bookings,
  paths.bookingSuccess,
  paths.book(""),
  paths.guestBooking(""),
  "/pay/",
  "/sandbox/",
  "/dev/",
];

export function loader({ request }: Route.LoaderArgs): Response {
  const lines = [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
    "",
    `# ${new URL(paths.home, request.url).href}`,
    "",
  ];
  return new Response(lines.join("\n"), { headers: { "content-type": "text/plain; charset=utf-8" } });
}
