import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { press, renderInMantine } from "../dashboard/test-providers.tsx";
import { closeToast, toastsNow } from "../lib/toasts.ts";
import ArtistSettingsPage, { ArtistSettingsForm } from "./settings-page.tsx";

const save = vi.hoisted(() => vi.fn());
vi.mock("../lib/api/settings.ts", () => ({
  useArtistSettings: () => ({ error: Object.assign(new Error("No profile"), { status: 404, code: "not_found" }) }),
  useSaveArtistSettings: () => ({ mutateAsync: save }),
}));
vi.mock("../dashboard/settings/where-it-goes.tsx", () => ({ WhereItGoes: () => null }));

afterEach(() => {
  cleanup();
  toastsNow().forEach((one) => closeToast(one.id));
});

const artist = {
  slug: "electric-dreams",
  name: "Electric Dreams",
  location: "Austin",
  time_zone: "America/Chicago",
  policies: ["flexible" as const, "strict" as const],
  policy_default: "strict" as const,
};
const draw = (tab: "availability" | "privacy" | "preferences") =>
  renderInMantine(
    <ArtistSettingsForm stored={{ values: artistDefaults, version: 2, saved_at: null, artist }} tab={tab} />,
  );

test("direct messages are shown switched off and disabled, with the reason", () => {
  draw("privacy");
  const messages = screen.getByRole<HTMLInputElement>("switch", { name: "Allow Direct Messages" });
  expect(messages.disabled).toBe(true);
  expect(messages.checked).toBe(false);
  expect(screen.getByText(/Coming later. For now promoters write/)).toBeTruthy();
});

test("the required deposit can be switched off, and only that is saved", async () => {
  draw("preferences");
  const deposit = screen.getByRole<HTMLInputElement>("switch", { name: "Require Deposit" });
  expect(deposit.checked).toBe(true);
  expect(screen.getByText(/you answer each request within 72 hours/)).toBeTruthy();
  deposit.click();
  expect(await screen.findByText("1 change not saved: the required deposit.")).toBeTruthy();
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { requireDeposit: false }, version: 2 }));
});

test("a night of the week is switched off, and the whole list of nights is saved", async () => {
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

test("offers the cancellation policies that the platform allows, and saves the choice", async () => {
  draw("preferences");
  const policy = screen.getByRole<HTMLSelectElement>("combobox", { name: "Cancellation policy" });
  expect([...policy.options].map((one) => one.text)).toEqual(["Platform default (Strict)", "Flexible", "Strict"]);
  expect(screen.getByText(/the artist keeps the whole fee/)).toBeTruthy();
  await userEvent.selectOptions(policy, "Flexible");
  expect(screen.getByText(/the artist keeps nothing until 31 days before/)).toBeTruthy();
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenLastCalledWith({ values: { policyName: "flexible" }, version: 2 }));
});

test("without a profile there is a way to it", () => {
  renderInMantine(<ArtistSettingsPage />);
  screen.getByRole("heading", { name: "No artist profile yet" });
  expect(screen.getByRole("link", { name: "Open My Profile" }).getAttribute("href")).toBe("/artist/profile");
});
