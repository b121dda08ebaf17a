import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { openAddHold } from "./add-hold.tsx";

vi.mock("../../lib/clock.ts", () => ({ currentTime: () => new Date("2027-02-09T12:00:00") }));
vi.mock("../../lib/api/artist/holds.ts", () => ({ useAddHold: () => ({}) }));

test("suggests an end seven days after today where the artist is", async () => {
  renderInMantine(<p />);
  act(() => openAddHold({ night: "2027-05-01", today: "2027-02-10" }));
  expect((await screen.findByRole<HTMLInputElement>("combobox", { name: "Ends on" })).value).toBe("Wed 17 Feb 2027");
});
