import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { openAddHold } from "./add-hold.tsx";

const add = vi.hoisted(() => vi.fn());
vi.mock("../../lib/clock.ts", () => ({ currentTime: () => new Date("2027-02-09T12:00:00Z") }));
vi.mock("../../lib/api/artist/holds.ts", () => ({ useAddHold: () => ({ mutateAsync: add }) }));

// It is 10 February on Kiritimati, 14 hours before UTC.
const timeZone = "Pacific/Kiritimati";

test("ends the hold at the typed time where the artist is, by default seven days after today", async () => {
  renderInMantine(<p />);
  act(() => openAddHold({ night: "2027-05-01", timeZone }));
  const night = await screen.findByRole<HTMLInputElement>("combobox", { name: "Night" });
  const end = screen.getByRole<HTMLInputElement>("combobox", { name: "Ends on" });
  expect(end.value).toBe("Wed 17 Feb 2027");
  expect(
    screen.getByText(/^Within the next 60 days, in your profile’s time zone \(Line Islands Time\)\./),
  ).toBeTruthy();
  await userEvent.clear(night);
  await userEvent.type(night, "9 Feb");
  for (const [label, text] of [
    ["Promoter or agency", "Tom Brandt"],
    ["Event type", "Festival"],
    ["Location", "Pier Nine, Austin"],
  ] as const)
    await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(screen.getByRole("button", { name: "Add hold" }));
  await waitFor(() => expect(add).toHaveBeenCalled());
  expect(add.mock.lastCall).toMatchObject([{ nights: ["2028-02-09"], until: new Date("2027-02-17T04:00:00Z") }]);
});
