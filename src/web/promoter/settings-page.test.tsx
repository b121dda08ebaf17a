import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { promoterDefaults } from "#settings/defaults.rules.ts";
import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { currentToasts } from "../lib/toasts.ts";
import PromoterSettingsPage, { PromoterSettingsForm } from "./settings-page.tsx";

const save = vi.hoisted(() => vi.fn());
vi.mock("../lib/api/settings.ts", () => ({
  usePromoterSettings: () => ({ data: stored }),
  useSavePromoterSettings: () => ({ mutateAsync: save }),
}));
vi.mock("../dashboard/settings/notification-targets.tsx", () => ({ NotificationTargets: () => null }));
vi.mock("../dashboard/calendar-feeds/calendar-feeds.tsx", () => ({ CalendarFeeds: () => null }));

beforeEach(() => void save.mockReset());

const stored = { values: promoterDefaults, version: 4, saved_at: null };
const draw = (tab: "profile" | "notifications" | "preferences") =>
  renderInMantine(<PromoterSettingsForm stored={stored} tab={tab} />);
/** The bar is inert until a change. */
const isBarOpen = () => screen.getByText("Save Settings").closest("[inert]") === null;

test("opens the save bar after a change, and sends only the change with its version", async () => {
  draw("profile");
  expect(isBarOpen()).toBe(false);
  type("Contact Name (optional)", "Ada Wren");
  expect(screen.getByText("1 change not saved: the contact name.")).toBeTruthy();
  expect(isBarOpen()).toBe(true);
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { contactName: "Ada Wren" }, version: 4 }));
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe("Your settings have been updated successfully."));
});

test("sends the address and the tax ID for receipts", async () => {
  draw("profile");
  type("Address (optional)", "4 Ellis Street\nAustin");
  type("Tax ID (optional)", "US-77");
  expect(screen.getByText("2 changes not saved: the address, the tax ID.")).toBeTruthy();
  press("Save Settings");
  const values = { legalAddress: "4 Ellis Street\nAustin", taxId: "US-77" };
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values, version: 4 }));
});

test("names the balance, which is always sent by email and by SMS with the payment reminders", () => {
  draw("notifications");
  const rows = screen.getAllByRole("row");
  const cellsOf = (label: string) => [
    ...(rows.find((row) => row.textContent.startsWith(label))?.querySelectorAll("td") ?? []),
  ];
  expect(cellsOf("Balancedue, overdue").map((cell) => cell.textContent)).toEqual([
    "always",
    "follows Payment reminders",
  ]);
  const [email, sms] = cellsOf("Payment remindersa balance due soon");
  expect(email?.textContent).toBe("follows Payment notifications");
  expect(sms?.querySelector("[name=smsPaymentReminders]")).toBeTruthy();
});

test("confirms before leaving unsaved changes: Keep editing stays, Leave goes", async () => {
  const Here = () => <p>Here: {useLocation().pathname}</p>;
  renderInMantine(
    <>
      <Here />
      <Link to="/elsewhere">Elsewhere</Link>
      <PromoterSettingsForm stored={stored} tab="profile" />
    </>,
  );
  type("Contact Name (optional)", "Ada Wren");
  const leave = () => fireEvent.click(screen.getByText("Elsewhere"));
  leave();
  await screen.findByText("Leave without saving?");
  press("Keep editing");
  await waitFor(() => expect(screen.queryByText("Leave without saving?")).toBeNull());
  expect(screen.getByText("Here: /")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Contact Name (optional)").value).toBe("Ada Wren");
  leave();
  await screen.findByText("Leave without saving?");
  press("Leave");
  expect(await screen.findByText("Here: /elsewhere")).toBeTruthy();
});

test("warns before it replaces a change that another tab made to the same field, and merges other fields", async () => {
  function Live() {
    const [values, setValues] = useState<typeof stored.values>(stored.values);
    const saved = { ...values, contactName: "Bo Lind", phone: "+1 512 555 0100" };
    return (
      <>
        <button onClick={() => setValues(saved)}>refresh</button>
        <PromoterSettingsForm stored={{ ...stored, values, version: values === stored.values ? 4 : 5 }} tab="profile" />
      </>
    );
  }
  renderInMantine(<Live />);
  type("Contact Name (optional)", "Ada Wren");
  type("Website (optional)", "https://ellis.example");
  press("refresh");
  press("Save Settings");
  const warning = "Another tab or user changed the contact name to Bo Lind. Save again to replace it.";
  expect((await screen.findByRole("alert")).textContent).toBe(warning);
  expect(save).not.toHaveBeenCalled();
  press("Save Settings");
  const values = { contactName: "Ada Wren", website: "https://ellis.example" };
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values, version: 5 }));
});

test("keeps what is typed in another tab, also in the calendar's, and while a save is running", async () => {
  const saving = Promise.withResolvers<unknown>();
  save.mockReturnValue(saving.promise);
  renderInMantine(<PromoterSettingsPage />, undefined, "/promoter/settings");
  type("Contact Name (optional)", "Ada Wren");
  fireEvent.click(screen.getByRole("link", { name: "Calendar" }));
  expect(await screen.findByText("1 change not saved: the contact name.")).toBeTruthy();
  fireEvent.click(screen.getByRole("link", { name: "Profile" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Contact Name (optional)")).value).toBe("Ada Wren");
  press("Save Settings");
  type("Website (optional)", "https://ellis.example");
  saving.resolve({});
  await waitFor(() => expect(currentToasts()).toHaveLength(1));
  expect(screen.getByLabelText<HTMLInputElement>("Website (optional)").value).toBe("https://ellis.example");
  expect(screen.getByText("1 change not saved: the website.")).toBeTruthy();
});

test("restores the stored values on Undo", () => {
  draw("profile");
  type("Contact Name (optional)", "Ada Wren");
  press("Undo");
  expect(screen.getByLabelText<HTMLInputElement>("Contact Name (optional)").value).toBe("");
  expect(isBarOpen()).toBe(false);
});

test("shows the specification's text and the reason of a failure, and retains the input", async () => {
  save.mockRejectedValue(apiError("conflict", "These settings were changed in the meantime.", 409));
  draw("profile");
  type("Contact Name (optional)", "Ada Wren");
  press("Save Settings");
  expect((await screen.findByRole("alert")).textContent).toBe("These settings were changed in the meantime.");
  expect(currentToasts().at(-1)?.text).toBe("Failed to save settings. Please try again.");
  expect(screen.getByLabelText<HTMLInputElement>("Contact Name (optional)").value).toBe("Ada Wren");
});

test("shows a server error at its field and focuses it", async () => {
  const error = apiError("invalid", "website must start with https://", 400);
  const fields = [
    { field: "values.website", message: "Enter an address that starts with https://, or leave this empty." },
  ];
  save.mockRejectedValue(Object.assign(error, { data: { ...error.data, data: { fields } } }));
  draw("profile");
  type("Website (optional)", "https://ellis");
  press("Save Settings");
  expect(await screen.findByText("Enter an address that starts with https://, or leave this empty.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Website (optional)"));
  expect(screen.getByRole("alert").textContent).toBe("Check the website.");
});

test("shows an invalid website address at its field and in the save bar, and sends nothing", async () => {
  draw("profile");
  type("Website (optional)", "ellis");
  press("Save Settings");
  expect(await screen.findByText("Enter an address that starts with https://, or leave the field empty.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Website (optional)"));
  expect(screen.getByRole("alert").textContent).toBe("Check the website.");
  expect(save).not.toHaveBeenCalled();
  expect(currentToasts()).toEqual([]);
});

test("does not send a number out of bounds", async () => {
  draw("preferences");
  type("Default Event Duration", "25");
  press("Save Settings");
  expect(await screen.findByText("Enter a whole number from 1 to 24.")).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
});

test("saves a switch by its name as true or false", async () => {
  draw("notifications");
  fireEvent.click(screen.getByRole("switch", { name: "Urgent updates by SMS" }));
  press("Save Settings");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ values: { smsUrgentUpdates: true }, version: 4 }));
});

test("shows auto-approval switched off and disabled, with the reason", () => {
  draw("preferences");
  const toggle = screen.getByRole<HTMLInputElement>("switch", { name: "Auto-Approve Artists" });
  expect([toggle.disabled, toggle.checked]).toEqual([true, false]);
  expect(screen.getByText(/Coming later. For now you choose/)).toBeTruthy();
});
