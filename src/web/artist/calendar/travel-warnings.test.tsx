import { cleanup, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { TravelWarnings } from "./travel-warnings.tsx";

const side = (booking_id: string, event_date: string, is_request = false) => ({ booking_id, event_date, is_request });
const items = vi.hoisted(() => [] as object[]);
vi.mock("../../lib/api/artist/calendar.ts", () => ({ useTravelWarnings: () => ({ data: { items } }) }));

function open(of?: string) {
  const Stub = createRoutesStub([{ path: "/", Component: () => <TravelWarnings {...(of ? { of } : {})} /> }]);
  return render(<Stub />);
}
const hrefs = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));

test("names each drive with its two shows, and on a booking's page only its own, without a link to itself", () => {
  expect(open().container.textContent).toBe("");
  items.push(
    { first: side("a", "2027-02-12"), next: side("b", "2027-02-13"), message: "Too far." },
    { first: side("b", "2027-02-13"), next: side("c", "2027-02-14", true), message: "Farther." },
  );
  open();
  screen.getByText("2 drives are longer than the time between two shows");
  expect(screen.getAllByRole("link", { name: "View show of Sat 13 Feb" })).toHaveLength(2);
  cleanup();
  open("c");
  screen.getByText("1 drive is longer than the time between two shows");
  expect(screen.queryByText(/Too far/)).toBeNull();
  expect(hrefs()).toEqual(["/artist/bookings/b", "/artist/settings?tab=availability"]);
});
