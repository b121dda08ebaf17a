import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Reviews } from "./reviews.tsx";

const calls = vi.hoisted(() => ({ ofArtist: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { reviews: calls } }));

const review = (number: number) => ({
  id: `review-${number}`,
  author_name: `Author ${number}`,
  rating: 5,
  body: "They came early and stayed late.",
  event_type: "Wedding",
  event_date: "2026-05-02",
  created_at: new Date(0),
  reply: number === 2 ? { body: "Thank you for the pie." } : null,
});

const artist = { slug: "electric-dreams", name: "Electric Dreams", star_counts: [0, 0, 0, 1, 3] };

test("shows the number of reviews per stars and the artist's replies as text", () => {
  render(<Reviews artist={{ ...artist, reviews: [review(1), review(2)], review_count: 4 }} />);
  const lines = within(screen.getByRole("list", { name: "Reviews by stars" })).getAllByRole("listitem");
  expect(lines.map((line) => line.textContent)).toEqual(["5 stars3", "4 stars1", "3 stars0", "2 stars0", "1 star0"]);
  const [first, second] = screen.getAllByRole("article");
  expect(first?.textContent).not.toContain("replied");
  expect(second?.textContent).toContain("Electric Dreams repliedThank you for the pie.");
});

test("adds the other reviews page by page, each once", async () => {
  calls.ofArtist
    .mockResolvedValueOnce({ items: [review(1), review(2), review(3)], nextCursor: "next" })
    .mockRejectedValueOnce(new TypeError("network"))
    .mockResolvedValueOnce({ items: [review(4)], nextCursor: null });
  render(<Reviews artist={{ ...artist, reviews: [review(1), review(2)], review_count: 4 }} />);
  await userEvent.click(screen.getByRole("button", { name: "Show more reviews" }));
  expect(await screen.findByText("3 of 4")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show more reviews" }));
  expect((await screen.findByRole("alert")).textContent).toContain("could not be reached");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Author 4")).toBeTruthy();
  expect(screen.getAllByRole("article")).toHaveLength(4);
  expect(screen.queryByRole("button")).toBeNull();
  expect(calls.ofArtist).toHaveBeenLastCalledWith({ slug: "electric-dreams", limit: 12, cursor: "next" });
});

test("shows an empty state without reviews, and no button for more", () => {
  render(<Reviews artist={{ ...artist, star_counts: [0, 0, 0, 0, 0], reviews: [], review_count: 0 }} />);
  expect(screen.queryByRole("list", { name: "Reviews by stars" })).toBeNull();
  expect(screen.getByText(/No reviews yet/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
