import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { press, renderInMantine } from "../../../dashboard/test-providers.tsx";
import { currentToasts } from "../../../lib/toasts.ts";
import { weekOfAddress, WeekView } from "./week-view.tsx";

const server = vi.hoisted(() => ({
  items: [] as object[],
  closed: [] as string[],
  exceptions: [] as string[],
  error: null as Error | null,
  refetch: vi.fn(),
  open: vi.fn(),
  block: vi.fn(),
  unblock: vi.fn(),
  ending: [] as { night: string }[],
  endingState: {},
  refetchEnding: vi.fn(),
}));
vi.mock("../add-hold.tsx", () => ({ openAddHold: vi.fn() }));
vi.mock("../../../lib/clock.ts", () => ({ currentTime: () => new Date("2027-02-09T12:00:00") }));
vi.mock("../../../lib/api/artist/calendar.ts", () => ({
  useArtistWeek: () => ({
    data: server.error
      ? undefined
      : {
          items: server.items,
          closed: server.closed,
          exceptions: server.exceptions,
          nights: ["08", "09", "10", "11", "12", "13", "14"].map((day) => ({
            night: `2027-02-${day}`,
            state: day === "08" ? "past" : "free",
          })),
          night_ends_at: "06:00",
          time_zone: "America/Chicago",
        },
    error: server.error,
    isFetching: false,
    refetch: server.refetch,
  }),
  useLongDrives: () => new Set(["booking-show"]),
  useHoldsAndRequests: ({ from, to }: { from: string; to: string }) => ({
    data: server.ending.filter(({ night }) => from <= night && night <= to),
    ...server.endingState,
    refetch: server.refetchEnding,
  }),
  useOpenNights: () => ({ mutateAsync: server.open }),
  useBlockTime: () => ({ mutateAsync: server.block }),
  useUnblockTime: () => ({ mutateAsync: server.unblock, isPending: false }),
}));

const entry = (kind: string, night: string, hours: [string, string], more: object = {}) => ({
  kind,
  id: `${kind}-${night}-${hours[0]}`,
  title: "Whitt",
  venue: null,
  starts_at: new Date(hours[0]),
  ends_at: new Date(hours[1]),
  night,
  last_night: night,
  time_zone: "America/Chicago",
  booking_id: null,
  hold: null,
  conflict: false,
  ...more,
});

beforeEach(() => {
  Object.assign(server, { items: [], closed: [], exceptions: [], error: null, ending: [], endingState: {} });
  server.open.mockReset().mockResolvedValue({});
});

const open = (today = "2027-02-09") => renderInMantine(<WeekView monday="2027-02-08" today={today} />);
const nightOf = (name: string) => screen.getByRole("heading", { level: 3, name }).closest("li") as HTMLElement;

test("shows every kind with its label and its times in the artist's zone, and links to its page", () => {
  const evening: [string, string] = ["2027-02-13T20:30:00-06:00", "2027-02-14T00:30:00-06:00"];
  const hold = (rank: number) => ({
    title: `Promoter ${rank}`,
    hold: { id: `h${rank}`, rank, challenged: rank === 1 },
  });
  server.items = [
    entry("show", "2027-02-13", evening, { booking_id: "booking-show", venue: "Armory Hall", conflict: true }),
    entry("request", "2027-02-10", ["2027-02-10T19:00:00-06:00", "2027-02-10T22:00:00-06:00"], {
      booking_id: "r",
      title: "Raman",
    }),
    ...[1, 2, 3].map((rank) =>
      entry("hold", "2027-02-12", ["2027-02-12T20:00:00-06:00", "2027-02-12T23:00:00-06:00"], {
        ...hold(rank),
        id: `h${rank}`,
      }),
    ),
    entry("blocked", "2027-02-11", ["2027-02-11T06:00:00-06:00", "2027-02-12T06:00:00-06:00"], { title: "Studio" }),
    entry("external", "2027-02-14", ["2027-02-14T15:00:00-06:00", "2027-02-14T18:00:00-06:00"], { title: "Family" }),
  ];
  open();
  screen.getByRole("heading", { level: 2, name: "8 to 14 February 2027" });
  const saturday = within(nightOf("Sat 13"));
  for (const text of ["Show", "Conflict", "Long drive", "20:30 to 00:30", "Armory Hall"]) saturday.getByText(text);
  expect(saturday.getByRole("link", { name: "Whitt" }).getAttribute("href")).toBe("/artist/bookings/booking-show");
  within(nightOf("Wed 10")).getByText("Initiated");
  const friday = within(nightOf("Fri 12"));
  expect(friday.getAllByText(/Must pay|On hold/).map(({ textContent }) => textContent)).toEqual([
    "Must pay",
    "On hold",
  ]);
  expect(friday.getByRole("link", { name: "1 more hold" }).getAttribute("href")).toBe("/?night=2027-02-12");
  const thursday = within(nightOf("Thu 11"));
  expect([thursday.queryByText("06:00 to 06:00"), thursday.getByText("Studio").textContent]).toEqual([null, "Studio"]);
  thursday.getByRole("button", { name: "Unblock" });
  expect(nightOf("Sun 14").textContent).toContain("Busy elsewhere15:00 to 18:00Family");
  expect(nightOf("Tue 9").getAttribute("aria-current")).toBe("date");
  screen.getByText(/Times are in US Central. A night ends at 06:00/);
  expect(screen.getByRole("link", { name: "Next week" }).getAttribute("href")).toBe("/?week=2027-02-15");
});

test("opens a night against its weekday from its menu with undo, and shows no menu for a past night", async () => {
  server.closed = ["2027-02-10"];
  server.exceptions = ["2027-02-11"];
  open();
  within(nightOf("Wed 10")).getByText("Closed to requests");
  within(nightOf("Thu 11")).getByText("Open this time");
  expect(screen.queryByRole("button", { name: "Actions: Mon 8 Feb" })).toBeNull();
  press("Actions: Wed 10 Feb");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Open to requests" }));
  await waitFor(() => expect(currentToasts()[0]?.title).toBe("Open to requests"));
  expect(server.open).toHaveBeenLastCalledWith({ nights: ["2027-02-10"], open: true });
  currentToasts()[0]?.action?.run();
  await waitFor(() => expect(server.open).toHaveBeenLastCalledWith({ nights: ["2027-02-10"], open: false }));
});

test("suggests the night in Block nights, reads a typed day, and shows validation messages", async () => {
  server.block.mockResolvedValue({ id: "b" });
  open();
  press("Actions: Fri 12 Feb");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Block night" }));
  const last = await screen.findByRole<HTMLInputElement>("combobox", { name: "Last night" });
  expect(last.value).toBe("Fri 12 Feb 2027");
  await userEvent.clear(last);
  await userEvent.type(last, "11 Feb 2027");
  const dialog = within(screen.getByRole("dialog", { name: "Block nights" }));
  await userEvent.click(dialog.getByRole("button", { name: "Block nights" }));
  await dialog.findByText("The last night cannot be before the first.");
  await userEvent.clear(last);
  await userEvent.type(last, "soon{Enter}");
  await dialog.findByText(/^Enter a date such as /);
  await userEvent.clear(last);
  await userEvent.type(last, "14 Feb 2037{Enter}");
  await dialog.findByText("You can block at most 366 nights at once. Check the years.");
  const first = dialog.getByRole("combobox", { name: "First night" });
  await userEvent.clear(first);
  await userEvent.type(first, "12 Feb 2026{Enter}");
  await dialog.findByText("Thu 12 Feb 2026 has passed. Choose a later night.");
  expect(server.block).not.toHaveBeenCalled();
  await userEvent.clear(first);
  await userEvent.type(first, "12 Feb 2027");
  await userEvent.clear(last);
  await userEvent.type(last, "14 Feb 2027{Enter}");
  await waitFor(() =>
    expect(server.block).toHaveBeenCalledWith({
      starts_at: "2027-02-12T06:00",
      ends_at: "2027-02-15T06:00",
      note: "",
      release_holds: [],
    }),
  );
});

test("refuses to block a night that has passed where the artist is, although not where the viewer is", async () => {
  server.block.mockReset();
  open("2027-02-11");
  press("Actions: Fri 12 Feb");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Block night" }));
  const first = await screen.findByRole("combobox", { name: "First night" });
  await userEvent.clear(first);
  await userEvent.type(first, "9 Feb 2027{Enter}");
  await screen.findByText("Tue 9 Feb has passed. Choose a later night.");
  expect(server.block).not.toHaveBeenCalled();
});

test("names the holds and requests on the nights before Block nights ends them, and reads them again after an error", async () => {
  const hours: [string, string] = ["2027-02-12T20:00:00-06:00", "2027-02-12T23:00:00-06:00"];
  const hold = (day: number, id: string, rank: number, more: object = {}) =>
    entry("hold", `2027-02-${day}`, hours, { id: `${id} ${day}`, hold: { id, rank, challenged: false }, ...more });
  server.ending = [
    hold(12, "h1", 1, { booking_id: "b1" }),
    hold(12, "h2", 2, { title: "Raman" }),
    hold(13, "h1", 1),
    entry("request", "2027-02-13", hours, { booking_id: "b2", title: "Okafor" }),
    hold(15, "h1", 1),
  ];
  const refused = { status: 409, code: "conflict", data: { message: "Saturday 13 February 2027 is on hold." } };
  server.block.mockReset().mockRejectedValueOnce(Object.assign(new Error("conflict"), refused));
  server.block.mockResolvedValueOnce({ id: "b" });
  open();
  press("Actions: Fri 12 Feb");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Block night" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Block nights" }));
  const listed = () => dialog.queryAllByRole("listitem").map(({ textContent }) => textContent);
  expect(listed()).toEqual(["Fri 12 Feb: Whitt, first hold", "Fri 12 Feb: Raman, second hold"]);
  const last = dialog.getByRole("combobox", { name: "Last night" });
  await userEvent.clear(last);
  await userEvent.type(last, "13 Feb 2027");
  expect(listed().slice(2)).toEqual(["Sat 13 Feb: Whitt, first hold", "Sat 13 Feb: Okafor, request"]);
  dialog.getByText(/^Blocking ends the holds and requests that need this time\. We email their promoters/);
  await userEvent.type(last, "{Enter}");
  await dialog.findByText("Saturday 13 February 2027 is on hold.");
  expect(server.refetchEnding).toHaveBeenCalledOnce();
  await userEvent.type(last, "{Enter}");
  await waitFor(() =>
    expect(currentToasts()[0]).toMatchObject({ text: expect.stringMatching(/The holds and requests have ended\.$/) }),
  );
  expect(currentToasts()[0]?.action).toBeUndefined();
  expect(server.block).toHaveBeenLastCalledWith({
    starts_at: "2027-02-12T06:00",
    ends_at: "2027-02-14T06:00",
    note: "",
    release_holds: ["h1", "h2"],
  });
});

test.each([
  ["are loading", { data: undefined, isLoading: true }],
  ["could not be loaded", { data: undefined, isLoadingError: true, error: new Error("away") }],
])("blocks nothing while the holds and requests that it ends %s", async (_, state) => {
  server.endingState = state;
  server.block.mockReset();
  open();
  press("Actions: Fri 12 Feb");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Block night" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Block nights" }));
  await userEvent.click(dialog.getByRole("button", { name: "Block nights" }));
  expect(server.block).not.toHaveBeenCalled();
  for (const button of dialog.queryAllByRole("button", { name: "Retry" })) fireEvent.click(button);
  expect(server.refetchEnding).toHaveBeenCalledTimes("error" in state ? 1 : 0);
});

test("offers Retry and shows no night if the week fails to load", () => {
  server.error = new Error("away");
  open();
  expect(screen.queryByRole("heading", { level: 3, name: "Sat 13" })).toBeNull();
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});

test("weekOfAddress returns the week of the address's day, and the current week for an invalid one", () => {
  expect(["2027-02-28", "2027-02-30", "x", null].map((text) => weekOfAddress(text, "2027-02-09"))).toEqual([
    "2027-02-22",
    "2027-02-08",
    "2027-02-08",
    "2027-02-08",
  ]);
});
