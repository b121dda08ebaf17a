import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Reviews } from "./reviews.tsx";

const calls = vi.hoisted(() => ({ reviews: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { artists: calls } }));

const review = (number: number) => ({
  id: `review-${number}`,
  author_name: `Author ${number}`,
  rating: 5,
  body: "They came early and stayed late.",
  event_type: "Wedding",
  event_date: "2026-05-02",
  created_at: new Date(0),
});

test("the rest of the reviews is shown page by page, each of them once", async () => {
  calls.reviews
    .mockResolvedValueOnce({ items: [review(1), review(2), review(3)], nextCursor: "next" })
    .mockRejectedValueOnce(new TypeError("network"))
    .mockResolvedValueOnce({ items: [review(4)], nextCursor: null });
  render(<Reviews artist={{ slug: "electric-dreams", reviews: [review(1), review(2)], review_count: 4 }} />);
  await userEvent.click(screen.getByRole("button", { name: "Show more reviews" }));
  expect(await screen.findByText("3 of 4")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show more reviews" }));
  expect((await screen.findByRole("alert")).textContent).toContain("could not be reached");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Author 4")).toBeTruthy();
  expect(screen.getAllByRole("article")).toHaveLength(4);
  expect(screen.queryByRole("button")).toBeNull();
  expect(calls.reviews).toHaveBeenLastCalledWith({ slug: "electric-dreams", limit: 12, cursor: "next" });
});

test("an artist without reviews says so, and offers no more", () => {
  render(<Reviews artist={{ slug: "new", reviews: [], review_count: 0 }} />);
  expect(screen.getByText(/No reviews yet/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
