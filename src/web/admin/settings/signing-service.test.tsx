import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { press, renderInMantine } from "../../dashboard/test-providers.tsx";
import { currentToasts } from "../../lib/toasts.ts";
import { IntegrationsTab } from "./integrations-tab.tsx";
import { PlatformSettingsForm } from "./settings-page.tsx";

const state = vi.hoisted(() => ({
  esign: {} as object,
  payments: undefined as object | undefined,
  tested: vi.fn(),
  pressed: vi.fn(),
  retried: vi.fn(),
  saved: vi.fn(),
}));
const idle = { data: undefined, error: null, isPending: false };
const delivery = {
  id: "evt_1",
  type: "submission.completed",
  received_at: "2026-11-22T10:00:00Z",
  state: "failed",
  error: "DocuSeal could not be reached.",
};
const builtIn = {
  path: "/api/webhooks/esign",
  url: "https://stage.example/api/webhooks/esign",
  provider: "embedded",
  provider_name: "Built-in signing",
  outside: false,
  fixed: false,
  available: ["embedded", "docuseal"],
  key_from_environment: false,
  has_secret: false,
  last_verified: null,
  deliveries: [],
};
vi.mock("../../lib/api/admin/contracts.ts", () => ({
  useTemplates: () => ({ data: { items: [] }, error: null, isFetching: false }),
}));
vi.mock("./emails/email-templates.tsx", () => ({ EmailTemplates: () => null }));
vi.mock("../../lib/api/settings.ts", () => ({
  useEsignState: () => ({ data: state.esign, error: null, isFetching: false }),
  usePaymentWebhook: () => ({
    data: state.payments,
    error: state.payments ? null : new Error("away"),
    isFetching: false,
    refetch: vi.fn(),
  }),
  useRetryProviderEvent: () => ({ ...idle, mutateAsync: state.retried }),
  useTestPaymentWebhook: () => ({ ...idle, mutate: vi.fn() }),
  useTestEsignWebhook: () => ({ ...idle, mutate: state.tested }),
  useTestEsign: () => ({ ...idle, mutate: state.pressed }),
  useSaveEsignKey: () => ({ ...idle, mutateAsync: state.saved }),
  useSavePlatformSettings: () => ({ mutateAsync: vi.fn() }),
}));

beforeEach(() => {
  state.esign = builtIn;
  state.payments = undefined;
  state.tested.mockReset();
});

const integrations = () => renderInMantine(<IntegrationsTab />);
const stored = {
  values: platformDefaults,
  version: 1,
  saved_at: null,
  saved_by: null,
  priced_artists: 2,
  open_bookings: 0,
  esign_keys: { docuseal: { stored: true, ending: "3f9a" }, docusign: { stored: false, ending: "" } },
};
const esignTab = () => renderInMantine(<PlatformSettingsForm stored={stored} tab="esign" />);

test("shows both webhooks on the integrations tab, one of them even if the other fails to load", () => {
  integrations();
  expect(screen.getByText("/api/webhooks/esign")).toBeTruthy();
  expect(screen.getByText("Not needed")).toBeTruthy();
  expect(screen.getByRole("link", { name: "E-Sign" }).getAttribute("href")).toBe("/admin/settings?tab=esign");
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  press("Test /api/webhooks/esign");
  expect(state.tested).toHaveBeenCalledOnce();
});

test.each([
  [{ has_secret: false }, "Not set up"],
  [{ has_secret: true }, "No delivery yet"],
  [{ has_secret: true, last_verified: delivery, deliveries: [delivery] }, "Active"],
])("shows its actual state: %j", (more, words) => {
  state.esign = { ...builtIn, provider: "docuseal", provider_name: "DocuSeal", outside: true, ...more };
  integrations();
  expect(screen.getByText(words)).toBeTruthy();
});

test("lists the service's deliveries with their error, and links to the components", () => {
  state.esign = {
    ...builtIn,
    provider: "docuseal",
    outside: true,
    has_secret: true,
    last_verified: delivery,
    deliveries: [delivery],
  };
  integrations();
  expect(screen.getByText(/200, failed: DocuSeal could not be reached/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "View components" }).getAttribute("href")).toBe("/admin/settings/components");
});

test("retries a failed event of the card provider, and shows why it failed again", async () => {
  const failed = { ...delivery, type: "charge.refunded", error: "The provider is away." };
  state.payments = { ...builtIn, path: "/api/webhooks/stripe", provider: "stripe", failed: [failed], failed_count: 21 };
  state.retried.mockResolvedValue({ error: "Still away." });
  integrations();
  expect(screen.getByText("The provider is away.")).toBeTruthy();
  expect(screen.getByText(/The oldest 1 of 21 are shown/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Retry charge\.refunded of / }));
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ tone: "error", text: "Still away." }));
  expect(state.retried).toHaveBeenCalledWith({ id: "evt_1" });
});

test("offers the services that are set up", () => {
  esignTab();
  const options = screen.getAllByRole<HTMLOptionElement>("option");
  expect(options.map(({ text, disabled }) => [text, disabled])).toEqual([
    ["Built-in signing", false],
    ["DocuSeal", false],
    ["DocuSign, not set up", true],
  ]);
  expect(screen.getByText(/DocuSign needs ESIGN_ACCOUNT_ID/)).toBeTruthy();
});

test("shows the code before signing as a switch that is off, and saves it with the other settings", () => {
  esignTab();
  const toggle = screen.getByRole<HTMLInputElement>("switch", { name: "Require a one-time code before a signature" });
  expect(toggle.checked).toBe(false);
  fireEvent.click(toggle);
  expect(toggle.checked).toBe(true);
  expect(screen.getByText(/the code before signing/)).toBeTruthy();
});

test("shows each service's own key and test as soon as it is chosen", () => {
  esignTab();
  expect(screen.getByText("Built-in signing needs no key.")).toBeTruthy();
  fireEvent.change(screen.getByRole("combobox", { name: "Provider" }), { target: { value: "docuseal" } });
  expect(screen.getByText("DocuSeal: ends in 3f9a.")).toBeTruthy();
  press("Test API Connection");
  expect(state.pressed).toHaveBeenLastCalledWith({ service: "docuseal" });
});

test("removes a stored key only after a confirmation, and reports a failure", async () => {
  esignTab();
  fireEvent.change(screen.getByRole("combobox", { name: "Provider" }), { target: { value: "docuseal" } });
  press("Remove");
  await screen.findByText("Remove the API key of DocuSeal?");
  press("Keep it");
  await waitFor(() => expect(screen.queryByText("Remove the API key of DocuSeal?")).toBeNull());
  expect(state.saved).not.toHaveBeenCalled();
  state.saved.mockRejectedValueOnce(new Error("unreachable"));
  for (const text of ["Failed to save settings. Please try again.", "The key is removed."]) {
    press("Remove");
    fireEvent.click(await screen.findByRole("button", { name: "Remove key" }));
    await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ text }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  expect(state.saved).toHaveBeenLastCalledWith({ service: "docuseal", api_key: "" });
});

test("explains what the environment fixes, and shows no input without effect", () => {
  state.esign = {
    ...builtIn,
    provider: "docuseal",
    provider_name: "DocuSeal",
    outside: true,
    fixed: true,
    key_from_environment: true,
  };
  esignTab();
  expect(screen.queryByRole("combobox", { name: "Provider" })).toBeNull();
  expect(screen.getByText(/DocuSeal, chosen by ESIGN_PROVIDER/)).toBeTruthy();
  expect(screen.queryByLabelText("API Key")).toBeNull();
  press("Test API Connection");
  expect(state.pressed).toHaveBeenCalledOnce();
});
