import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../test-providers.tsx";
import { ImportConflicts } from "./import-conflicts.tsx";

const conflict = { event_date: "2027-02-13", calendar_name: "Google" };
vi.mock("../../lib/api/calendar-feeds.ts", () => ({
  useExternalCalendars: () => ({
    data: {
      conflicts: [
        { ...conflict, booking_id: "b-1", number: "SD-1" },
        { ...conflict, booking_id: "b-2", number: "SD-2" },
      ],
    },
  }),
}));

test("limits the conflicts to one booking, without a link to its own page", () => {
  const { unmount } = renderInMantine(<ImportConflicts of="b-2" />);
  expect(screen.getByRole("status").textContent).toBe(
    "1 conflict with another calendarSaturday 13 February: a show and an entry from Google overlap. ",
  );
  expect(screen.queryByRole("link")).toBeNull();
  unmount();
  renderInMantine(<ImportConflicts />);
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "View booking SD-1",
    "View booking SD-2",
  ]);
});
