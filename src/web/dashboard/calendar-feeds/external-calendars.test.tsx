import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../test-providers.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";

const reason = "An entry has a DTEND that we cannot read.";
const calendar = {
  id: "8f8f0f0e-0000-4000-8000-000000000001",
  name: "Google",
  url_host: "calendar.example.org",
  status: "ok",
  entry_count: 2,
  last_success_at: new Date().toISOString(),
};
vi.mock("../../lib/api/calendar-feeds.ts", () => ({
  useExternalCalendars: () => ({
    data: {
      items: [
        { ...calendar, unread: { count: 3, title: "Dentist", day: "2027-07-10", reason } },
        { ...calendar, id: "2", unread: { count: 1, title: null, day: null, reason } },
      ],
    },
    error: null,
    isFetching: false,
    refetch: vi.fn(),
  }),
  useAddCalendar: vi.fn(),
  useRefreshCalendar: () => ({ isPending: false }),
  useRemoveCalendar: vi.fn(),
}));

test("names the entries that could not be read, in a calendar that is OK", () => {
  renderInMantine(<ExternalCalendars />);
  expect(screen.getAllByText(/^OK, updated/)).toHaveLength(2);
  const [several, one] = screen
    .getAllByText(/^\d (?:entry|entries) not read:/)
    .map((text) => text.parentElement?.textContent);
  expect(several).toContain(`3 entries not read: the first is “Dentist” on 10 Jul 2027. ${reason} If we read`);
  expect(one).toContain("1 entry not read: an entry without a title, no readable date.");
});
