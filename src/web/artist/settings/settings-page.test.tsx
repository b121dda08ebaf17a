import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { press, renderInMantine } from "../../dashboard/test-providers.tsx";
import ArtistSettingsPage, { ArtistSettingsForm } from "./settings-page.tsx";

const save = vi.hoisted(() => vi.fn());
const openNights = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/artist/calendar.ts", () => ({
  useOpenNights: () => ({ mutateAsync: openNights }),
  useBlockTime: vi.fn(),
  useUnblockTime: vi.fn(),
}));
vi.mock("../../lib/api/artist/holds.ts", () => ({ useAddHold: vi.fn() }));
vi.mock("../../lib/api/settings.ts", () => ({
  useArtistSettings: () => ({ error: Object.assign(new Error("No profile"), { status: 404, code: "not_found" }) }),
  useSaveArtistSettings: () => ({ mutateAsync: save }),
}));
vi.mock("../../dashboard/settings/notification-targets.tsx", () => ({ NotificationTargets: () => null }));

afterEach(() => {
  save.mockClear();
});

const artist = {
  slug: "electric-dreams",
  name: "Electric Dreams",
  location: "Austin",
  time_zone: "America/Chicago",
  policies: ["flexible" as const, "strict" as const],
  policy_default: "strict" as const,
};
const draw = (tab: "availability" | "privacy" | "preferences", more: Partial<typeof artistDefaults> = {}) =>
  renderInMantine(
    <ArtistSettingsForm
      stored={{ values: { ...artistDefaults, ...more }, version: 2, saved_at: null, artist }}
      tab={tab}
    />,
  );

test("shows direct messages switched off and disabled, with the reason", () => {
  draw("privacy");
  const messages = screen.getByRole<HTMLInputElement>("switch", { name: "Allow Direct Messages" });
  expect(messages.disabled).toBe(true);
  expect(messages.checked).toBe(false);
  expect(screen.getByText(/Coming later. For now, promoters can add/)).toBeTruthy();
});

test("switches off the required deposit, and saves only that", async () => {
  draw("preferences");
  const deposit = screen.getByRole<HTMLInputElement>("switch", { name: "Require Deposit" });
  expect(deposit.checked).toBe(true);
  expect(screen.getByText(/you answer each request within 72 hours/)).toBeTruthy();
  deposit.click();
  expect(await screen.findByText("1 change not saved: the required deposit.")).toBeTruthy();
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { requireDeposit: false }, version: 2 }));
});

test("switches off a weekday, and saves the whole list of nights", async () => {
  draw("availability");
  const monday = screen.getByRole<HTMLInputElement>("checkbox", { name: "Monday" });
  expect(screen.getAllByRole<HTMLInputElement>("checkbox").filter(({ checked }) => checked)).toHaveLength(7);
  monday.click();
  expect(await screen.findByText("1 change not saved: Mondays.")).toBeTruthy();
  press("Save Settings");
  await waitFor(() =>
    expect(save).toHaveBeenLastCalledWith({
      values: { openNights: ["sun", "tue", "wed", "thu", "fri", "sat"] },
      version: 2,
    }),
  );
});

test("opens a single night against its weekday and removes an exception, immediately and outside the form", async () => {
  openNights.mockResolvedValue({});
  // 11 January 2077 is a Monday, 15 January a Friday.
  draw("availability", {
    openNights: ["fri"],
    nightExceptions: [
      { night: "2020-01-06", open: true },
      { night: "2077-01-11", open: true },
      { night: "2077-01-15", open: false },
    ],
  });
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows.map((text) => text?.split("Remove")[0])).toEqual(["Mon 11 Jan 2077: open", "Fri 15 Jan 2077: closed"]);
  press("Remove Monday 11 January");
  await waitFor(() => expect(openNights).toHaveBeenLastCalledWith({ nights: ["2077-01-11"], open: false }));
  press("Remove Friday 15 January");
  await waitFor(() => expect(openNights).toHaveBeenLastCalledWith({ nights: ["2077-01-15"], open: true }));
  press("Add night");
  await userEvent.type(await screen.findByRole("combobox", { name: "Night" }), "12 Jan 2077{Enter}");
  await waitFor(() => expect(openNights).toHaveBeenLastCalledWith({ nights: ["2077-01-12"], open: true }));
  expect(save).not.toHaveBeenCalled();
});

test("lists and adds the current night where the artist is", async () => {
  // In Chicago it is still 9 February.
  vi.setSystemTime(new Date("2027-02-10T03:00:00Z"));
  draw("availability", {
    nightExceptions: [
      { night: "2027-02-08", open: false },
      { night: "2027-02-09", open: false },
    ],
  });
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Tue 9 Feb 2027: closedRemove Tuesday 9 February",
  ]);
  press("Add night");
  await userEvent.type(await screen.findByRole("combobox", { name: "Night" }), "9 Feb{Enter}");
  await waitFor(() => expect(openNights).toHaveBeenLastCalledWith({ nights: ["2027-02-09"], open: true }));
  vi.useRealTimers();
});

test("saves the unit of the travel speed", async () => {
  draw("availability");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Speed Unit" }), "mph");
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenLastCalledWith({ values: { travelSpeedUnit: "mph" }, version: 2 }));
});

test("offers the cancellation policies that the platform allows, and saves the choice", async () => {
  draw("preferences");
  const policy = screen.getByRole<HTMLSelectElement>("combobox", { name: "Cancellation policy" });
  expect([...policy.options].map((one) => one.text)).toEqual(["Platform default (Strict)", "Flexible", "Strict"]);
  expect(screen.getByText(/you lose the whole price/)).toBeTruthy();
  await userEvent.selectOptions(policy, "Flexible");
  expect(screen.getByText(/31 days or more before the event, you lose nothing/)).toBeTruthy();
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenLastCalledWith({ values: { policyName: "flexible" }, version: 2 }));
});

test("links to the profile if there is none", () => {
  renderInMantine(<ArtistSettingsPage />);
  screen.getByRole("heading", { name: "No artist profile yet" });
  expect(screen.getByRole("link", { name: "Open My Profile" }).getAttribute("href")).toBe("/artist/profile");
});
