import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import { PlatformSettingsForm } from "./settings-page.tsx";

const save = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/settings.ts", () => ({ useSavePlatformSettings: () => ({ mutateAsync: save }) }));
vi.mock("../../lib/api/admin/contracts.ts", () => ({}));
vi.mock("./emails/email-templates.tsx", () => ({ EmailTemplates: () => null }));
vi.mock("./integrations-tab.tsx", () => ({ IntegrationsTab: () => null }));
vi.mock("./esign-tab.tsx", () => ({ EsignTab: () => null }));

const stored = {
  values: platformDefaults,
  version: 3,
  saved_at: null,
  saved_by: null,
  priced_artists: 12,
  open_bookings: 1,
  esign_keys: { docuseal: { stored: false, ending: "" }, docusign: { stored: false, ending: "" } },
};

test("validates the limit of open holds before saving", async () => {
  renderInMantine(<PlatformSettingsForm stored={stored} tab="payments" />);
  type("Open holds per promoter", "51");
  press("Save Settings");
  expect(await screen.findByText(/1 to 50/, { selector: "[class*=error]" })).toBeTruthy();
  type("Open holds per promoter", "8");
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { mostOpenHolds: 8 }, version: 3 }));
  save.mockClear();
});

test("explains the effects of a currency change, and saves only after confirmation", async () => {
  renderInMantine(<PlatformSettingsForm stored={stored} tab="payments" />);
  type("Default currency", "eur");
  press("Save Settings");
  expect(
    await screen.findByText(/12 artists have prices in USD. They cannot be booked until they confirm/),
  ).toBeTruthy();
  expect(screen.getByText(/1 open booking keeps the price and the currency/)).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
  press("Keep editing");
  await waitFor(() => expect(screen.queryByText(/12 artists have prices/)).toBeNull());
  expect(save).not.toHaveBeenCalled();
  press("Save Settings");
  await screen.findByText(/12 artists have prices/);
  press("Change to EUR");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { currency: "eur" }, version: 3 }));
});
