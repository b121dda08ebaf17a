/** Every screen of the three sidebars while it loads and after a failure: never an empty list or a false zero. */

import { QueryClient } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import type { ComponentType } from "react";
import { expect, test, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import AdminArtists from "../admin/artists/artists-page.tsx";
import AdminBookings from "../admin/bookings-page.tsx";
import AdminContracts from "../admin/contracts/contracts-page.tsx";
import AdminLogs from "../admin/logs/logs-page.tsx";
import AdminOverview from "../admin/overview-page.tsx";
import AdminPayments from "../admin/payments/payments-page.tsx";
import AdminSettings from "../admin/settings/settings-page.tsx";
import AdminUsers from "../admin/users-page.tsx";
import ArtistBookings from "../artist/bookings/bookings-page.tsx";
import ArtistMedia from "../artist/media/media-page.tsx";
import ArtistOverview from "../artist/overview-page.tsx";
import ArtistPayouts from "../artist/payouts/payouts-page.tsx";
import ArtistProfile from "../artist/profile/profile-page.tsx";
import ArtistSettings from "../artist/settings/settings-page.tsx";
import PromoterBookings from "../promoter/bookings-page.tsx";
import PromoterHolds from "../promoter/holds/holds-page.tsx";
import PromoterPayments from "../promoter/payments-page.tsx";
import PromoterSettings from "../promoter/settings-page.tsx";
import { dashboards } from "./shell/navigation.ts";
import { apiError, renderInMantine } from "./test-providers.tsx";

const server = vi.hoisted(() => ({ answer: (): Promise<unknown> => new Promise(() => undefined) }));
vi.mock("../lib/api/browser-api.ts", () => {
  // Every API call returns the same answer.
  const call: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (typeof name === "symbol" || name === "then" ? undefined : call),
    apply: () => server.answer(),
  });
  return { browserApi: call };
});

const screens: readonly (readonly [string, ComponentType])[] = [
  [paths.admin.overview, AdminOverview],
  [paths.admin.artists, AdminArtists],
  [paths.admin.bookings, AdminBookings],
  [paths.admin.contracts, AdminContracts],
  [paths.admin.payments, AdminPayments],
  [paths.admin.users, AdminUsers],
  [paths.admin.settings(), AdminSettings],
  [paths.admin.logs, AdminLogs],
  [paths.artistArea.overview, ArtistOverview],
  [paths.artistArea.bookings, ArtistBookings],
  [paths.artistArea.profile, ArtistProfile],
  [paths.artistArea.media, ArtistMedia],
  [paths.artistArea.payouts, ArtistPayouts],
  [paths.artistArea.settings(), ArtistSettings],
  [paths.promoterArea.bookings, PromoterBookings],
  [paths.promoterArea.holds, PromoterHolds],
  [paths.promoterArea.payments, PromoterPayments],
  [paths.promoterArea.settings(), PromoterSettings],
];

const open = (Screen: ComponentType) =>
  renderInMantine(<Screen />, new QueryClient({ defaultOptions: { queries: { retry: false } } }));

const untrue = () => screen.queryAllByText(/^No .*(found|yet)\b|^\$0(\.00)?$|^0$/).map((one) => one.textContent);

test("tests every entry of the sidebars", () => {
  const entries = Object.values(dashboards).flatMap(({ navigation }) =>
    navigation.filter(({ isOnlyInBar: onlyPlace }) => !onlyPlace).map(({ to }) => to),
  );
  expect(screens.map(([address]) => address).toSorted()).toEqual(entries.toSorted());
});

test.each(screens)("shows a loading state and no false text for %s", (_address, Screen) => {
  server.answer = () => new Promise(() => undefined);
  const { container } = open(Screen);
  expect(
    screen.queryAllByText(/Loading/).length + container.querySelectorAll("[aria-label=Loading]").length,
  ).toBeGreaterThan(0);
  expect(untrue()).toEqual([]);
});

test.each(screens)("shows that %s failed to load, and reloads it on Retry", async (_address, Screen) => {
  const answer = vi.fn(() => Promise.reject(apiError("unavailable", "The database cannot be reached.", 503)));
  server.answer = answer;
  open(Screen);
  await screen.findAllByText(/could not be loaded/);
  expect(screen.getAllByText(/The database cannot be reached\./).length).toBeGreaterThan(0);
  expect(untrue()).toEqual([]);
  const requestCount = answer.mock.calls.length;
  for (const retry of screen.getAllByText("Retry", { selector: "button" })) fireEvent.click(retry);
  await waitFor(() => expect(answer.mock.calls.length).toBeGreaterThan(requestCount));
});

test.each(["Month", "Week"])(
  "requests no %s of an artist without a profile, and leads to the profile",
  async (view) => {
    server.answer = () => new Promise(() => undefined);
    open(ArtistBookings);
    const answer = vi.fn(() => Promise.resolve({ slug: null }));
    server.answer = answer;
    fireEvent.click(screen.getByRole("link", { name: view }));
    await screen.findByText("No artist profile yet");
    expect(screen.getByRole("link", { name: "Open My Profile" }).getAttribute("href")).toBe(paths.artistArea.profile);
    expect(answer).toHaveBeenCalledTimes(1);
    expect(screen.queryAllByRole("button")).toEqual([]);
  },
);

test.each(["Month", "Week"])("reports an artist's %s that cannot be loaded, and stops its requests", async (view) => {
  server.answer = () => new Promise(() => undefined);
  open(ArtistBookings);
  const answer = vi.fn(() => Promise.reject(apiError("internal", "The database cannot be reached.", 500)));
  server.answer = answer;
  fireEvent.click(screen.getByRole("link", { name: view }));
  await screen.findByText("The calendar could not be loaded");
  expect(answer.mock.calls.length).toBeLessThan(20);
});
