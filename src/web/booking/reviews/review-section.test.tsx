import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press } from "../../dashboard/test-providers.tsx";
import { ReviewSection, type BookingReview, type ReviewsResponse } from "./review-section.tsx";

const server = vi.hoisted(() => ({ write: vi.fn(), reply: vi.fn(), report: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { reviews: server } }));

const booking = { id: "b1", status: "completed", promoter_name: "Hannah Whitt", artist: { name: "Electric Dreams" } };
const nothing = { reply: false, report: false, hide: false, unhide: false };
const review: BookingReview = {
  id: "r1",
  written_by: "promoter",
  author_name: "Hannah Whitt",
  rating: 4,
  body: "They came early.",
  created_at: "2026-11-20T12:00:00.000Z",
  published: true,
  hidden: null,
  reply: null,
  reported: null,
  can: nothing,
};
const writing: ReviewsResponse = {
  side: "promoter",
  shown_as: "Hannah Whitt, The Waterworks",
  can_write: true,
  open_until: "2026-12-04T12:00:00.000Z",
  other_is_in: false,
  items: [],
};
const changed = vi.fn();
const moderation = { hide: vi.fn(), unhide: vi.fn() };
const show = (reviews: ReviewsResponse) =>
  render(<ReviewSection booking={booking} reviews={reviews} onChanged={changed} moderation={moderation} />);

beforeEach(() => {
  vi.resetAllMocks();
  sessionStorage.clear();
});

test("requires stars and ten characters, and sends a review once with both", async () => {
  show(writing);
  screen.getByText(/We publish both reviews together: when both are submitted/);
  screen.getByText(/Shown as Hannah Whitt, The Waterworks/);
  press("Send review");
  expect(await screen.findByText("Choose one to five stars.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("1 star"));
  fireEvent.click(
    within(screen.getByRole("group", { name: /How was it with Electric Dreams/ })).getByLabelText("4 stars"),
  );
  fireEvent.change(screen.getByLabelText("Your review"), { target: { value: "Good." } });
  press("Send review");
  expect(await screen.findByText("Enter at least 10 characters.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Your review"));
  expect(server.write).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText("Your review"), { target: { value: " They came early. " } });
  press("Send review");
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(server.write).toHaveBeenCalledWith({ id: "b1", rating: 4, body: "They came early." });
});

test("shows a server error and retains the input", async () => {
  server.write.mockRejectedValue(apiError("conflict", "The 14 days for reviews are over.", 409));
  show({ ...writing, other_is_in: true });
  screen.getByText(/Electric Dreams has already reviewed you/);
  fireEvent.click(screen.getByLabelText("5 stars"));
  fireEvent.change(screen.getByLabelText("Your review"), { target: { value: "They came early." } });
  press("Send review");
  expect((await screen.findByRole("alert")).textContent).toBe("The 14 days for reviews are over.");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your review").value).toBe("They came early.");
  expect(changed).not.toHaveBeenCalled();
});

test("keeps an unsent review in the tab, until it is sent", async () => {
  const text = () => screen.getByLabelText<HTMLTextAreaElement>("Your review").value;
  const { unmount } = show(writing);
  fireEvent.click(screen.getByLabelText("4 stars"));
  fireEvent.change(screen.getByLabelText("Your review"), { target: { value: "They came early." } });
  unmount();
  const again = show(writing);
  expect(text()).toBe("They came early.");
  expect(screen.getByLabelText<HTMLInputElement>("4 stars").checked).toBe(true);
  press("Send review");
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  again.unmount();
  show(writing);
  expect(text()).toBe("");
});

test("shows an unpublished review only to its author, with its publication time", () => {
  show({ ...writing, can_write: false, items: [{ ...review, published: false }] });
  expect(screen.getByRole("article").textContent).toContain("Your review");
  screen.getByText(/Only you see it\. It is published when Electric Dreams has written too/);
  expect(screen.queryByRole("button")).toBeNull();
});

test("restores what was typed, but not in the form of the other party", () => {
  const typed = () => screen.getByLabelText<HTMLTextAreaElement>("Your review");
  const { unmount } = show(writing);
  fireEvent.change(typed(), { target: { value: "They came early." } });
  unmount();
  const again = show(writing);
  expect(typed().value).toBe("They came early.");
  again.unmount();
  show({ ...writing, side: "artist" });
  expect(typed().value).toBe("");
});

test("sends the artist's answer and report, each with its own text", async () => {
  show({
    ...writing,
    side: "artist",
    can_write: false,
    items: [{ ...review, can: { ...nothing, reply: true, report: true } }],
  });
  press("Reply");
  fireEvent.change(screen.getByLabelText("Your reply"), { target: { value: "Thank you." } });
  press("Send reply");
  await waitFor(() => expect(server.reply).toHaveBeenCalledWith({ id: "r1", body: "Thank you." }));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  press("Report");
  press("Cancel");
  press("Report");
  fireEvent.change(screen.getByLabelText("What is wrong with it?"), { target: { value: "It names my address." } });
  press("Report review");
  await waitFor(() => expect(server.report).toHaveBeenCalledWith({ id: "r1", reason: "It names my address." }));
});

test("shows that the viewer reported a review, and that it was kept", () => {
  const items = [
    { ...review, reported: "open" as const },
    { ...review, id: "r2", reported: "kept" as const },
  ];
  show({ ...writing, side: "artist", can_write: false, shown_as: null, items });
  expect(screen.getByText("You reported this review. An admin decides.")).toBeTruthy();
  screen.getByText("You reported this review. An admin decided to keep it.");
});

test("hides and shows a review for an admin, and gives the reason of a hidden one", () => {
  const hidden = { at: "2026-11-21T12:00:00.000Z", reason: "A home address." };
  const items = [
    { ...review, can: { ...nothing, hide: true } },
    { ...review, id: "r2", written_by: "artist" as const, hidden, can: { ...nothing, unhide: true } },
  ];
  show({ ...writing, side: null, can_write: false, shown_as: null, items });
  press("Hide");
  expect(moderation.hide).toHaveBeenCalledWith(items[0]);
  screen.getByText("Hidden by an admin: A home address.");
  press("Show again");
  expect(moderation.unhide).toHaveBeenCalledWith(items[1]);
});

test("explains to the viewer that there is no review", () => {
  show({ ...writing, can_write: false, open_until: "2020-12-04T12:00:00.000Z" });
  expect(screen.getByText("No review was written in the 14 days after this show.")).toBeTruthy();
  show({ ...writing, can_write: false, other_is_in: true, open_until: "2020-12-04T12:00:00.000Z" });
  expect(screen.getByText(/An admin hid the review by the other party\.$/)).toBeTruthy();
  show({ ...writing, can_write: false, open_until: "2100-12-04T12:00:00.000Z" });
  expect(screen.getByText(/has deleted the account/)).toBeTruthy();
});
