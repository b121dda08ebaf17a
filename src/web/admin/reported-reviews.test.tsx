import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { ModeratedReview } from "../lib/api/reviews.ts";
import { currentToasts } from "../lib/toasts.ts";
import { ReportedReviews } from "./reported-reviews.tsx";

type Query = {
  data?: { items: ModeratedReview[]; total: number } | undefined;
  error: Error | null;
  hasNextPage?: boolean;
  refetch(): Promise<void>;
  fetchNextPage?(): void;
};
const server = vi.hoisted(() => ({ hide: vi.fn(), keep: vi.fn(), unhide: vi.fn(), refetch: vi.fn(), more: vi.fn() }));
let answers: { reported: Query; hidden: Query };
vi.mock("../lib/api/reviews.ts", () => ({
  useReportedReviews: () => answers.reported,
  useHiddenReviews: () => answers.hidden,
  useHideReview: () => ({ mutateAsync: server.hide }),
  useKeepReview: () => ({ isPending: false, mutateAsync: server.keep }),
  useUnhideReview: () => ({ isPending: false, mutateAsync: server.unhide }),
}));

const reported: ModeratedReview = {
  id: "r1",
  booking_id: "b1",
  booking_number: "SD-7K3MPQ",
  written_by: "promoter",
  author_name: "Hannah Whitt",
  artist_name: "Electric Dreams",
  artist_id: "a1",
  promoter_name: "Hannah Whitt",
  rating: 1,
  body: "They live at 12 Main Street.",
  created_at: "2026-11-20T12:00:00.000Z",
  report: { reason: "It names my address.", created_at: "2026-11-21T12:00:00.000Z", decision: null },
  hidden: null,
};
const hidden = { ...reported, id: "r2", hidden: { at: "2026-11-21T12:00:00.000Z", reason: "A home address." } };

const known = (items: ModeratedReview[]): Query => ({
  data: { items, total: items.length },
  error: null,
  refetch: server.refetch,
});

beforeEach(() => {
  vi.resetAllMocks();
  answers = { reported: known([]), hidden: known([]) };
});

test("renders nothing while no review is reported or hidden", () => {
  expect(renderInMantine(<ReportedReviews />).container.textContent).toBe("");
});

test("reports a failed request with Retry", () => {
  answers.reported = { error: apiError("internal", "Something went wrong.", 500), refetch: server.refetch };
  renderInMantine(<ReportedReviews />);
  expect(screen.getByRole("alert").textContent).toContain("Reported reviews could not be loaded.");
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});

test("shows a report with the review, its reporter and the reason, and dismisses the report", async () => {
  answers.reported = known([reported]);
  renderInMantine(<ReportedReviews />);
  const row = screen.getByRole("listitem").textContent;
  expect(row).toContain("Hannah Whitt about Electric Dreams");
  expect(row).toContain("by Electric Dreams: It names my address.");
  press("Keep the review by Hannah Whitt");
  await waitFor(() => expect(currentToasts()[0]?.title).toBe("Review kept"));
  expect(server.keep).toHaveBeenCalledWith({ id: "r1" });
  expect(server.hide).not.toHaveBeenCalled();
});

test("requires a reason of ten characters before it hides a review", async () => {
  answers.reported = known([reported]);
  renderInMantine(<ReportedReviews />);
  press("Hide the review by Hannah Whitt");
  expect((await screen.findByRole("dialog")).textContent).toContain("Hide this review");
  type("Reason", "short");
  press("Hide review");
  expect(await screen.findByText("Enter at least 10 characters.")).toBeTruthy();
  expect(server.hide).not.toHaveBeenCalled();
  type("Reason", "It names a home address.");
  press("Hide review");
  await waitFor(() => expect(server.hide).toHaveBeenCalledWith({ id: "r1", reason: "It names a home address." }));
});

test.each([
  ["promoter", /is removed from the public page and the rating\./, "It is no longer included in the rating."],
  ["artist", /is removed from the promoter's page of the booking\./, "The promoter no longer sees it."],
] as const)("states what hiding a review by the %s changes", async (written_by, before, after) => {
  answers.reported = known([{ ...reported, written_by }]);
  renderInMantine(<ReportedReviews />);
  press("Hide the review by Hannah Whitt");
  expect((await screen.findByRole("dialog")).textContent).toMatch(before);
  type("Reason", "It names a home address.");
  press("Hide review");
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe(`${after} Your reason is stored in the log.`));
});

test("counts all hidden reviews, and loads those after the first page", () => {
  answers.hidden = {
    ...known([hidden]),
    data: { items: [hidden], total: 1_137 },
    hasNextPage: true,
    fetchNextPage: server.more,
  };
  renderInMantine(<ReportedReviews />);
  expect(screen.getByText("1,137 reviews are hidden")).toBeTruthy();
  press("Load more");
  expect(server.more).toHaveBeenCalledOnce();
});

test("restores a hidden review, and shows an error", async () => {
  answers.hidden = known([hidden]);
  server.unhide.mockRejectedValueOnce(apiError("conflict", "This review is not hidden.", 409));
  renderInMantine(<ReportedReviews />);
  expect(screen.getByText("1 review is hidden")).toBeTruthy();
  press("Show the review by Hannah Whitt again");
  await waitFor(() => expect(currentToasts()[0]?.text).toBe("This review is not hidden."));
});
