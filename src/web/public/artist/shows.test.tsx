import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { NextShows } from "./shows.tsx";

test("shows date, venue and town of each show, and the town alone without a venue", () => {
  render(
    <NextShows
      shows={[
        { date: "2026-12-04", town: "Phoenix", venue: "Substation" },
        { date: "2027-01-08", town: "Oakland", venue: null },
      ]}
    />,
  );
  screen.getByRole("heading", { name: "Next public shows" });
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "4 Dec 2026SubstationPhoenix, Friday",
    "8 Jan 2027OaklandFriday",
  ]);
});

test("shows nothing without shows", () => {
  expect(render(<NextShows shows={[]} />).container.textContent).toBe("");
});
