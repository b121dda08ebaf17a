import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, fieldError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { OwnProfile } from "../../lib/api/artist/own-profile.ts";
import { currentToasts } from "../../lib/toasts.ts";
import ArtistProfilePage from "./profile-page.tsx";

const profile: OwnProfile = {
  shares_name: false,
  slug: "electric-dreams",
  is_active: true,
  is_public: true,
  name: "Electric Dreams",
  genre: "electronic",
  bio: "Two players.",
  base_rate: 150_000,
  top_rate: 350_000,
  photo_url: null,
  photo_image: null,
  poster_url: "/art/electric-dreams/poster.svg?v=1",
  video_url: null,
  years_experience: 8,
  place: { id: "austin", name: "Austin, Texas" },
  location: "Austin, Texas",
  time_zone: "America/Chicago",
  specialties: ["Live synth sets"],
  equipment: [],
  event_types: { corporate: true, private: true, wedding: true },
  email: "artist@demo.test",
  phone: null,
  currency: "usd",
  price_currency: "usd",
  commission_bps: 1000,
};
const oakland = { id: "oakland", name: "Oakland, California" };
let stored: OwnProfile | undefined;
let error: Error | null = null;
const save = vi.fn();
const refetch = vi.fn();
vi.mock("../../lib/api/artist/own-profile.ts", () => ({
  useOwnProfile: () => ({ data: stored, error, isFetching: false, refetch }),
  useSaveOwnProfile: () => ({ isPending: false, mutateAsync: save }),
  usePlaces: () => ({ data: { items: [oakland] } }),
}));
vi.mock("../profile-claim-section.tsx", () => ({ ProfileClaimSection: () => <p>Is this you?</p> }));

beforeEach(() => {
  [stored, error] = [profile, null];
  save.mockReset().mockResolvedValue(profile);
  refetch.mockReset();
});

/** The list of suggestions has the field's name too. */
const typeInto = (label: string, value: string) => {
  const field = screen.getByLabelText(label, { selector: "input" });
  fireEvent.change(field, { target: { value } });
  return field;
};
const show = () => renderInMantine(<ArtistProfilePage />);
const toastTexts = () => currentToasts().flatMap(({ title, text }) => [title, text]);
const expectToast = (text: string) => waitFor(() => expect(toastTexts()).toContain(text));
const expectSaved = (values: object) =>
  waitFor(() => expect(save).toHaveBeenCalledWith(expect.objectContaining(values)));

test("shows the sections of the specification with a read-only email and the net amount", () => {
  show();
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Basic Information",
    "Your Show",
    "Pricing",
    "Media URLs",
    "Contact",
    "As promoters see you",
  ]);
  expect(screen.getByLabelText("Email")).toHaveProperty("readOnly", true);
  expect(screen.getByLabelText("Phone")).toHaveProperty("disabled", false);
  expect(screen.getByText("$1,350.00")).toBeTruthy();
  expect(screen.getByText("− $150.00")).toBeTruthy();
  expect(screen.getByRole("link", { name: "/artist/electric-dreams" })).toBeTruthy();
  expect(screen.getByText("Not on your page yet: photo, equipment, video.")).toBeTruthy();
});

test("shows changes in the preview and in the save bar, and sends them in the server's units", async () => {
  show();
  type("Artist Name", "Electric Sleep");
  type("Base Rate (in cents)", "2,000.00");
  type("Experience", "");
  fireEvent.click(screen.getByLabelText("Wedding events"));
  const preview = within(screen.getByRole("region", { name: "Preview" }));
  expect(preview.getByRole("heading", { name: "Electric Sleep" })).toBeTruthy();
  expect(preview.getByText("$2,000 to $3,500")).toBeTruthy();
  expect(preview.getByText("With your unsaved changes.")).toBeTruthy();
  expect(screen.getByText("4 changes not saved: artist name, experience, weddings, base rate.")).toBeTruthy();
  press("Save Profile");
  await waitFor(() =>
    expect(save).toHaveBeenCalledWith({
      name: "Electric Sleep",
      genre: "electronic",
      bio: "Two players.",
      base_rate: 200_000,
      top_rate: 350_000,
      currency: "usd",
      photo_url: null,
      video_url: null,
      years_experience: null,
      specialties: ["Live synth sets"],
      equipment: [],
      event_types: { corporate: true, private: true, wedding: false },
      phone: null,
    }),
  );
  await expectToast("Your profile has been updated successfully.");
});

function Live() {
  const [, render] = useState(0);
  return (
    <>
      <button onClick={() => render(1)}>refresh</button>
      <ArtistProfilePage />
    </>
  );
}

test("keeps what is typed while a save is running, and warns if another tab changes it too", async () => {
  const saving = Promise.withResolvers<OwnProfile>();
  save.mockReturnValue(saving.promise);
  renderInMantine(<Live />);
  type("Biography", "Three players.");
  press("Save Profile");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  type("Phone", "+1 512 555 0148");
  saving.resolve(profile);
  await expectToast("Success");
  expect(screen.getByText("1 change not saved: phone.")).toBeTruthy();
  stored = { ...profile, bio: "Three players.", phone: "+1 512 555 0100" };
  press("refresh");
  press("Save Profile");
  await screen.findByText(/^Another tab or user changed the phone to \+1 512 555 0100\./);
});

test("warns before it replaces a change that another tab made to the same field", async () => {
  renderInMantine(<Live />);
  type("Artist Name", "Electric Sleep");
  stored = { ...profile, name: "Electric Nights" };
  press("refresh");
  press("Save Profile");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Another tab or user changed the artist name to Electric Nights. Save again to replace it.",
  );
  expect(save).not.toHaveBeenCalled();
  press("Save Profile");
  await expectSaved({ name: "Electric Sleep" });
});

test("suggests a correction for a rate far from the stored one, and applies it with one button", async () => {
  show();
  type("Base Rate (in cents)", "1600");
  expect(screen.getByText(/Did you mean \$1,600\.00\?/)).toBeTruthy();
  press("Use $1,600.00");
  expect(screen.getByLabelText("Base Rate (in cents)")).toHaveProperty("value", "1,600.00");
  expect(screen.queryByText(/Did you mean/)).toBeNull();
  press("Save Profile");
  await expectSaved({ base_rate: 160_000 });
});

test("asks before it saves a base rate below $50", async () => {
  show();
  type("Base Rate (in cents)", "1500");
  fireEvent.blur(screen.getByLabelText("Base Rate (in cents)"));
  press("Save Profile");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Your base rate is $15.00. For $1,500.00, enter 1,500.00. To keep $15.00, save again.",
  );
  expect(save).not.toHaveBeenCalled();
  press("Save Profile");
  await expectSaved({ base_rate: 1_500 });
});

test("requires new rates after a currency change, and saves nothing without them", async () => {
  stored = { ...profile, currency: "eur" };
  show();
  expect(screen.getByText("Confirm your price in EUR.")).toBeTruthy();
  expect(screen.getByText(/Your former price was \$1,500 to \$3,500/)).toBeTruthy();
  type("Biography", "Three players.");
  press("Save Profile");
  expect(await screen.findByText("Enter your base rate in EUR. 0 means on request.")).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
  type("Base Rate (in cents)", "140000");
  fireEvent.blur(screen.getByLabelText("Base Rate (in cents)"));
  expect(screen.getByLabelText("Base Rate (in cents)")).toHaveProperty("value", "1,400.00");
  expect(
    screen.getByText("Shown as “From $1,400” on your profile. For $140,000.00, enter 140,000.00.".replaceAll("$", "€")),
  ).toBeTruthy();
  press("Save Profile");
  await expectSaved({ base_rate: 140_000, top_rate: null, currency: "eur" });
});

test("names the stored artist name after a save without one, and shows it in the field", async () => {
  show();
  type("Artist Name", " ");
  screen.getByText("Without an artist name, we use the name of your account.");
  press("Save Profile");
  await expectToast("Your profile has been updated successfully. Your artist name is your account's: Electric Dreams.");
  expect(save).toHaveBeenCalledWith(expect.objectContaining({ name: " " }));
  expect(screen.getByLabelText("Artist Name")).toHaveProperty("value", "Electric Dreams");
  expect(screen.queryByText("Without an artist name, we use the name of your account.")).toBeNull();
});

test("notes after a change of the name that another act has it", async () => {
  save.mockResolvedValueOnce({ ...profile, name: "Night Parlor", shares_name: true });
  show();
  type("Artist Name", "Night Parlor");
  press("Save Profile");
  await expectToast(
    "Your profile has been updated successfully. Another act has this name. We may ask you to confirm it.",
  );
  expect(save).toHaveBeenCalledOnce();
});

test.each(["eight", "8.5", "-1", "100"])("shows an error at experience for %s, and sends nothing", async (typed) => {
  show();
  type("Experience", typed);
  press("Save Profile");
  expect(await screen.findByText("Enter a whole number from 0 to 99, or leave the field empty.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Experience"));
  expect(save).not.toHaveBeenCalled();
});

test("sends 0 for a rate that is not a number", async () => {
  show();
  type("Base Rate (in cents)", "much");
  type("Top Rate (optional)", "");
  press("Save Profile");
  await waitFor(() => expect(save).toHaveBeenCalledWith(expect.objectContaining({ base_rate: 0, top_rate: null })));
});

test.each([
  ["-5", "Enter an amount of 0 or more."],
  ["99999999999999", "Enter at most 999,999.99."],
])("shows an error for the base rate %s, keeps it as typed and sends nothing", async (typed, message) => {
  show();
  const field = typeInto("Base Rate (in cents)", typed);
  fireEvent.blur(field);
  expect(field).toHaveProperty("value", typed);
  press("Save Profile");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(save).not.toHaveBeenCalled();
});

test("shows no shares of a base rate that no card can pay, but how it is shown", () => {
  show();
  typeInto("Base Rate (in cents)", "0.05");
  expect(screen.getByText("Shown as “On request”, because it is too small for a card payment.")).toBeTruthy();
  expect(screen.queryByText("Gross")).toBeNull();
});

test("adds a specialty on Enter without submitting the form, and removes one with its button", () => {
  show();
  fireEvent.keyDown(typeInto("Specialties", "Wedding evenings"), { key: "Enter" });
  expect(within(screen.getByRole("list", { name: "Specialties" })).getAllByRole("listitem")).toHaveLength(2);
  press("Remove Live synth sets");
  expect(screen.getByText("1 change not saved: specialties.")).toBeTruthy();
  press("Undo");
  expect(screen.getByText("Save Profile").closest("[inert]")).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
});

test("sends a town by its id, and sends nothing for a town that is not in the list", async () => {
  show();
  typeInto("Location", "Atlantis");
  press("Save Profile");
  expect(await screen.findByText("Choose a town from the list.")).toBeTruthy();
  expect(save).not.toHaveBeenCalled();
  typeInto("Location", "oakland, california");
  expect(screen.getByText(/blocked stay on their dates.*hours of shows and other blocked times change/)).toBeTruthy();
  press("Save Profile");
  await expectSaved({ place_id: "oakland" });
});

test("keeps the stored town if its name is typed again and not found", async () => {
  show();
  typeInto("Location", "Atlantis");
  typeInto("Location", "Austin, Texas");
  type("Experience", "9");
  press("Save Profile");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(save.mock.calls[0]?.[0]).not.toHaveProperty("place_id");
});

test("shows an invalid address at its field and in the save bar, and sends nothing", async () => {
  show();
  type("Photo URL", "my photo");
  type("Video URL", "youtube");
  press("Save Profile");
  expect(await screen.findByText("Enter an address that starts with https://, or upload a photo.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Photo URL"));
  expect(screen.getByRole("alert").textContent).toBe("Check photo URL, video URL.");
  expect(save).not.toHaveBeenCalled();
  expect(toastTexts()).toEqual([]);
});

test("shows a server error at its field, and the specification's text beside it", async () => {
  const message = "The top rate is lower than the base rate.";
  save.mockRejectedValue(fieldError("top_rate", message));
  show();
  type("Top Rate (optional)", "1");
  press("Save Profile");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Top Rate (optional)"));
  expect(screen.getByRole("alert").textContent).toBe("Check top rate.");
  expect(toastTexts()).toContain("Failed to save your profile. Please try again.");
  expect(screen.getByLabelText("Top Rate (optional)")).toHaveProperty("value", "1");
});

test("prefills the form of a new artist with their name, and offers to claim an artist of that name", () => {
  stored = { ...profile, slug: null, name: "Ada Bell", poster_url: null };
  show();
  expect(screen.getByLabelText("Artist Name")).toHaveProperty("value", "Ada Bell");
  expect(screen.getByText("Is this you?")).toBeTruthy();
  expect(screen.getByText("Not saved yet.").closest("[inert]")).toBeNull();
});

test("shows the specification's text and Retry if the profile fails to load", async () => {
  stored = undefined;
  error = apiError("unavailable", "The database cannot be reached.", 503);
  show();
  await expectToast("Failed to load your profile. Please try again.");
  press("Retry");
  expect(refetch).toHaveBeenCalled();
  expect(screen.queryByRole("button", { name: "Save Profile" })).toBeNull();
});

test("links to the setting instead of the public page while the page is hidden", () => {
  stored = { ...profile, is_public: false };
  show();
  expect(screen.getByText(/Your page is hidden/)).toBeTruthy();
  const link = screen.getByRole("link", { name: "Change this in your settings" });
  expect(link.getAttribute("href")).toBe("/artist/settings?tab=privacy");
  expect(screen.queryByRole("link", { name: "/artist/electric-dreams" })).toBeNull();
});
