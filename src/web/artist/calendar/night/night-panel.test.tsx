import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { assumedShow } from "#calendar/night.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { renderInMantine } from "../../../dashboard/test-providers.tsx";
import { WithNightPanel } from "./night-panel.tsx";
import { countdownText, spokenTimeLeft } from "./queue-row.tsx";

const night = "2027-02-12";
const server = vi.hoisted(() => ({
  items: [] as object[],
  error: null as Error | null,
  isWide: false,
  bookings: [] as object[],
  busy: [] as object[],
  state: "free",
  openNights: vi.fn(),
  navigate: vi.fn(),
  extend: vi.fn(),
  reorder: vi.fn(),
  release: vi.fn(),
  convert: vi.fn(),
}));
vi.mock("../../../lib/browser/use-media-query.ts", () => ({
  phoneQuery: "phone",
  useMediaQuery: (query: string) => server.isWide && query !== "phone",
}));
vi.mock("react-router", async (original) => ({
  ...(await original<typeof import("react-router")>()),
  useNavigate: () => server.navigate,
}));
vi.mock("../../../lib/api/booking-lists.ts", () => ({ useArtistMonth: () => ({ data: { items: server.bookings } }) }));
vi.mock("../../../lib/api/artist/calendar.ts", () => ({
  useBusyTimes: () => ({
    data: {
      busy: server.busy,
      nights: [{ night, state: server.state }],
      bookable: { first: "2026-12-04", last: "2027-11-27" },
      night_ends_at: "06:00",
      // 14 hours before UTC, the zone of the tests' browser.
      time_zone: "Pacific/Kiritimati",
    },
  }),
  useOpenNights: () => ({ mutateAsync: server.openNights }),
  useBlockTime: vi.fn(),
  useUnblockTime: () => ({ isPending: false }),
}));
vi.mock("../../../lib/api/artist/holds.ts", () => ({
  useQueue: () => ({ data: server.error ? undefined : { items: server.items }, error: server.error, refetch: vi.fn() }),
  useQueueActions: () => ({
    extend: { mutateAsync: server.extend },
    reorder: { mutateAsync: server.reorder },
    release: { mutateAsync: server.release },
    convert: { mutateAsync: server.convert },
  }),
}));

const none = { release: true, book: false, challenge: false, extend: true, move: true, convert: false };
const hold = (rank: number, name: string, more: object = {}) => ({
  id: `id-${rank}`,
  artist: { name: "Electric Dreams" },
  promoter_name: name,
  event_time: "20:00",
  event_location: "Pier Nine",
  event_type: "Club night",
  note: "",
  deposit: { cents: 37_500, currency: "usd" },
  challenge_hours: 24,
  nights: [
    {
      night,
      rank,
      state: "active",
      expires_at: new Date("2027-02-01T18:00:00"),
      ended_at: null,
      challenge_ends_at: null,
      pays_from: null,
      must_pay: false,
      is_challenger: false,
      has_challenged: false,
      being_booked: false,
      requested: false,
      requested_by_artist: false,
      busy_elsewhere: false,
      may_be_paid: false,
      released_for: null,
      booking_id: null,
      can: none,
      ...more,
    },
  ],
});

const open = () => renderInMantine(<WithNightPanel night={night}>The month</WithNightPanel>);

async function choose(name: string, item: string) {
  fireEvent.click(await screen.findByRole("button", { name: `Actions: ${name}` }));
  fireEvent.click(await screen.findByRole("menuitem", { name: item }));
}

beforeEach(() => {
  vi.clearAllMocks();
  vi.setSystemTime(new Date("2027-01-20T12:00:00"));
  server.error = null;
  server.isWide = false;
  [server.bookings, server.busy, server.state] = [[], [], "free"];
  server.items = [hold(1, "Tom Brandt"), hold(2, "Hannah Whitt")];
});

test("opens beside the month in a wide window, takes the focus, and closes with Escape", async () => {
  server.isWide = true;
  open();
  const panel = await screen.findByRole("dialog", { name: "Friday 12 February" });
  expect(document.activeElement).toBe(panel);
  expect(panel.getAttribute("aria-modal")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Actions: Tom Brandt" }));
  const item = await screen.findByRole("menuitem", { name: "Extend" });
  fireEvent.keyDown(item, { key: "Escape" });
  expect(server.navigate).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByRole("menuitem", { name: "Extend" })).toBeNull());
  fireEvent.keyDown(panel, { key: "Escape" });
  expect(server.navigate).toHaveBeenCalledOnce();
});

test("lists the queue in order", async () => {
  open();
  const panel = await screen.findByRole("dialog", { name: "Friday 12 February" });
  expect(
    within(panel)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(
      /^Hold 1Tom BrandtClub night, Pier Nine, 20:00First hold, \d+ \w+ leftRuns until Mon 1 Feb, 18:00/,
    ),
    expect.stringMatching(/^Hold 2Hannah Whitt/),
  ]);
});

test("shows a running challenge with its deadline and both outcomes", async () => {
  const until = new Date(Date.now() + 18 * hourMs);
  server.items = [
    hold(1, "Tom Brandt", { challenge_ends_at: until, can: { ...none, extend: false, move: false } }),
    hold(2, "Hannah Whitt", { is_challenger: true }),
  ];
  open();
  expect(await screen.findByText("Challenged by Hannah Whitt")).toBeTruthy();
  expect(screen.getByText(/Tom Brandt must book by then/)).toBeTruthy();
  expect(screen.getByText("Ready to pay $375")).toBeTruthy();
  expect(screen.getByText("18:00:00")).toBeTruthy();
});

test("states the latest end of a hold, and who reads the reason of a move", async () => {
  open();
  await choose("Tom Brandt", "Extend");
  const latest = new RegExp(`A hold ends at ${assumedShow.time} on its night at the latest\\.$`);
  expect(await screen.findByText(latest)).toBeTruthy();
  cleanup();
  open();
  await choose("Tom Brandt", "Move down");
  expect(
    await screen.findByText(/send it to the promoters\. For a hold that you entered by hand, we only log it\./),
  ).toBeTruthy();
});

test("moves a hold down with a reason, and shows why it failed", async () => {
  server.reorder.mockRejectedValueOnce(new Error("The queue of this night has changed. Reload the page."));
  open();
  await choose("Tom Brandt", "Move down");
  fireEvent.click(screen.getByRole("button", { name: "Move down" }));
  expect(await screen.findByText("Give a reason.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "A better fit" } });
  fireEvent.click(screen.getByRole("button", { name: "Move down" }));
  await waitFor(() =>
    expect(server.reorder).toHaveBeenCalledWith({ night, ids: ["id-2", "id-1"], reason: "A better fit" }),
  );
  expect(await screen.findByRole("textbox", { name: "Reason" })).toBeTruthy();
  server.reorder.mockResolvedValueOnce({});
  fireEvent.click(screen.getByRole("button", { name: "Move down" }));
  expect(await screen.findByRole("button", { name: "Actions: Tom Brandt" })).toBeTruthy();
});

test("releases a hold after a confirmation, and extends one to a given time where the artist is", async () => {
  server.release.mockResolvedValue({});
  server.extend.mockResolvedValue({});
  open();
  await choose("Tom Brandt", "Release hold…");
  expect(screen.getByText(/The next hold moves up. We email Tom Brandt now./)).toBeTruthy();
  expect(document.activeElement).toBe(
    screen.getByRole("button", { name: "Cancel", description: /Release the hold of Tom Brandt\?/ }),
  );
  fireEvent.click(screen.getByRole("button", { name: "Release hold" }));
  await waitFor(() => expect(server.release).toHaveBeenCalledWith({ id: "id-1", nights: [night] }));
  await choose("Hannah Whitt", "Extend");
  const end = screen.getByRole<HTMLInputElement>("combobox", { name: "Ends on" });
  expect(document.activeElement).toBe(end);
  expect(end.value).toBe("Tue 2 Feb 2027");
  expect(screen.getByLabelText<HTMLInputElement>("Ends at").value).toBe("08:00");
  expect(
    screen.getByText(/^Within the next 60 days, in your profile’s time zone \(Line Islands Time\)\./),
  ).toBeTruthy();
  fireEvent.input(end, { target: { value: "5 Feb 2027" } });
  fireEvent.change(screen.getByLabelText("Ends at"), { target: { value: "12:00" } });
  fireEvent.click(screen.getByRole("button", { name: "Extend hold" }));
  const until = new Date("2027-02-04T22:00:00Z");
  await waitFor(() => expect(server.extend).toHaveBeenCalledWith({ id: "id-2", until }));
});

test.each([true, false])(
  "closes with Escape in a date field, after its calendar: beside the month is %j",
  async (isWide) => {
    server.isWide = isWide;
    open();
    await choose("Tom Brandt", "Extend");
    const end = screen.getByRole("combobox", { name: "Ends on" });
    fireEvent.keyDown(end, { key: "ArrowDown" });
    const day = await within(await screen.findByRole("dialog", { name: "Ends on: calendar" })).findByRole("button", {
      name: /^Wednesday 3 February/,
    });
    act(() => day.focus());
    fireEvent.keyDown(day, { key: "Escape" });
    await waitFor(() => expect(end.getAttribute("aria-expanded")).toBe("false"));
    expect(server.navigate).not.toHaveBeenCalled();
    fireEvent.keyDown(end, { key: "Escape" });
    expect(server.navigate).toHaveBeenCalledOnce();
  },
);

test("turns the first hold into a booking, and requires an email address for a manual hold without one", async () => {
  server.convert.mockResolvedValue({ booked: false });
  const first = hold(1, "Tom Brandt", { can: { ...none, convert: true } });
  server.items = [first];
  const { unmount } = open();
  await choose("Tom Brandt", "Turn into a booking");
  expect(
    screen.getByText(/We email Tom Brandt the link to pay the deposit of \$375, until Mon 1 Feb 18:00, your time/),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Turn into a booking" }));
  await waitFor(() => expect(server.convert).toHaveBeenCalledWith({ id: "id-1", night }));
  unmount();
  server.items = [{ ...first, deposit: null }];
  const free = open();
  await choose("Tom Brandt", "Turn into a booking");
  expect(screen.getByText(/this books the night now, and all other holds of it end/)).toBeTruthy();
  free.unmount();
  server.items = [{ ...first, by_hand: true, email: null, deposit: null }];
  open();
  await choose("Tom Brandt", "Turn into a booking");
  expect(screen.getByText(/we email Tom Brandt to confirm a booking request/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Turn into a booking" }));
  expect(await screen.findByText("Enter the promoter's email address.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Email of Tom Brandt"), { target: { value: "tom@agency.example" } });
  fireEvent.click(screen.getByRole("button", { name: "Turn into a booking" }));
  await waitFor(() =>
    expect(server.convert).toHaveBeenLastCalledWith({ id: "id-1", night, email: "tom@agency.example" }),
  );
});

test("offers Retry if the holds fail to load", async () => {
  server.error = new Error("no network");
  open();
  expect(await screen.findByRole("button", { name: /retry|again/i })).toBeTruthy();
});

const nights = { night, last_night: night };

test("shows the booking, the blocked time and the connected event of a night instead of calling it free", async () => {
  server.items = [];
  server.state = "booked";
  const booking = {
    id: "b1",
    event_date: night,
    event_time: "21:00",
    promoter_name: "Ada Bell",
    venue_name: "Pier Nine",
  };
  server.bookings = [
    { ...booking, status: "contract_sent" },
    { ...booking, id: "b2", event_date: "2027-02-13", event_time: "01:00", status: "initiated" },
    { ...booking, id: "b3", event_date: "2027-02-13", event_time: "06:00", status: "initiated" },
  ];
  server.busy = [
    { ...nights, id: "x1", kind: "blocked", title: "Recording" },
    { ...nights, id: "x2", kind: "external", title: "Family" },
  ];
  open();
  const list = within(await screen.findByRole("list", { name: "Bookings and busy times" }));
  expect(list.getByText("Pier Nine, 21:00")).toBeTruthy();
  expect(list.getByText("Pier Nine, Saturday 13 February, 01:00")).toBeTruthy();
  const links = list.getAllByRole("link", { name: "View booking" });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/artist/bookings/b1", "/artist/bookings/b2"]);
  expect(list.getByText("Recording")).toBeTruthy();
  expect(list.getByText("Busy in another calendar: Family")).toBeTruthy();
  expect(
    screen.getByText("No other promoter can book the time of this show, or the travel and set-up time around it."),
  ).toBeTruthy();
});

test.each([
  ["free", "No holds. Every promoter can request this night."],
  ["past", "This night has passed."],
  ["begun", "This night has begun. Promoters can request it only for a later time."],
  ["too_soon", "This night is too soon to be requested. The first possible night is Friday 4 December."],
  ["too_far", "This night is too far ahead to be requested. The last possible night is Saturday 27 November."],
  ["closed", "This night is closed to requests."],
  ["blocked", "You blocked this night. No promoter can request it."],
  ["external", "You are busy in another calendar. Promoters can request only a time that is free."],
  ["at_checkout", "A promoter is at the checkout. No other promoter can book that time."],
  ["booked", "No other promoter can book the time of this show, or the travel and set-up time around it."],
])("shows whether a night can be requested: %s", async (state, message) => {
  server.items = [];
  server.state = state;
  open();
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryAllByText(/Every promoter can request/)).toHaveLength(state === "free" ? 1 : 0);
  expect(screen.queryAllByRole("button", { name: "Open to requests" })).toHaveLength(state === "closed" ? 1 : 0);
});

test("opens a closed night to requests, also while it has holds, and shows only the queue of a night on hold", async () => {
  server.state = "on_hold";
  const { unmount } = open();
  await screen.findByText("Tom Brandt");
  expect(screen.queryByText(/request|This night/)).toBeNull();
  unmount();
  server.state = "closed";
  server.openNights.mockResolvedValue({});
  open();
  await screen.findByText("Tom Brandt");
  fireEvent.click(screen.getByRole("button", { name: "Open to requests" }));
  await waitFor(() => expect(server.openNights).toHaveBeenCalledWith({ nights: [night], open: true }));
});

test("counts down as a clock, and returns spoken text at one hour, ten minutes and one minute", () => {
  expect([countdownText(67_330), countdownText(59)]).toEqual(["18:42:10", "00:00:59"]);
  expect([3_601, 3_600, 600, 60].map(spokenTimeLeft)).toEqual(["", "1 hour left", "10 minutes left", "1 minute left"]);
});
