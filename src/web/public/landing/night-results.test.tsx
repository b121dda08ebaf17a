import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { listedArtist } from "../test-artist.ts";
import { Browse } from "./browse.tsx";
import { loader } from "./landing-page.tsx";
import { resultHeading, resultNote } from "./night-answer.ts";
import { readBrowse } from "./read-browse.ts";

const list = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { artists: { list } } }));
// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

const artist = (name: string, state: "free" | "away", message: string) =>
  listedArtist(name, { night: { state, message } });
const found = {
  items: [artist("One", "free", "Free, comes to Austin")],
  nextCursor: null,
  total: 1,
  capped: false,
  away: 2,
  nearby: [
    { night: "2027-02-12", total: 18 },
    { night: "2027-02-14", total: 100 },
  ],
  genres: [{ genre: "jazz" as const, count: 1 }],
  farther: { items: [artist("Two", "away", "Free, 754 miles away")], nextCursor: "a" },
  failure: undefined,
};

function show(address = "/?night=2027-02-13&town=Austin&kind=wedding") {
  const Stub = createRoutesStub([
    {
      path: "/",
      loader: ({ request }) => readBrowse(new URL(request.url).searchParams),
      HydrateFallback: () => null,
      Component: ({ loaderData }) => <Browse query={loaderData as never} list={found} />,
    },
  ]);
  render(<Stub initialEntries={[address]} />);
}

test("separates artists who travel to the town from those farther away, who can be requested", async () => {
  show();
  await screen.findByRole("heading", { level: 2, name: "1 act is free and comes to Austin" });
  screen.getByText("Saturday 13 February, for a wedding. 2 more are free but live farther away.");
  expect(screen.getAllByRole("radio").map((one) => one.parentElement?.textContent)).toEqual(["all genres1", "jazz1"]);
  const far = within(screen.getByRole("region", { name: "Free, but farther away" }));
  far.getByText("Free, 754 miles away");
  expect(far.queryByText("Free, comes to Austin")).toBeNull();
  const searched = "?date=2027-02-13&town=Austin";
  const addressOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(addressOf("One")).toBe(`/artist/one${searched}`);
  expect(addressOf("Two")).toBe(`/artist/two${searched}`);
  expect(addressOf("Request anyway: Two")).toBe(`/book/two${searched}`);
  list.mockResolvedValue({ items: [artist("Three", "away", "Free, 800 miles away")], nextCursor: null });
  fireEvent.click(far.getByRole("button", { name: "Show more of 2" }));
  await far.findByText("Three");
  expect(list).toHaveBeenCalledWith(expect.objectContaining({ farther: true, available: undefined, cursor: "a" }));
});

test("offers the two nearest nights with more acts when few are free", async () => {
  show();
  const link = await screen.findByRole("link", { name: "Friday 12 February 18 acts are free" });
  expect(link.getAttribute("href")).toBe("/?night=2027-02-12&town=Austin&kind=wedding#browse");
  screen.getByRole("link", { name: "Sunday 14 February 100 or more acts are free" });
});

test("focuses the result after a click on the search button", async () => {
  show();
  const title = await screen.findByRole("heading", { level: 2, name: /comes to Austin/ });
  document.documentElement.scrollTop = 900;
  const form = screen.getByRole("search");
  const button = document.createElement("button");
  // The hero has the field of the night.
  const field = Object.assign(document.createElement("input"), { name: "night", value: "2027-02-14" });
  field.dataset["day"] = field.value;
  form.append(field, button);
  fireEvent(form, new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }));
  await waitFor(() => expect(document.activeElement).toBe(title));
  expect(document.documentElement.scrollTop).toBe(0);
});

test("does not send a search with an unreadable date, and retains the text", async () => {
  show("/");
  const field = await screen.findByLabelText("Free on");
  fireEvent.input(field, { target: { value: "foo" } });
  fireEvent.keyDown(field, { key: "Enter" });
  const form = screen.getByRole("search");
  const button = document.createElement("button");
  form.append(button);
  fireEvent(form, new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }));
  await screen.findByText(/^Enter a date such as/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field).toHaveProperty("value", "foo");
});

type Asked = { available?: boolean; genre?: string; search?: string };

test("counts only free acts in the heading: of the chosen genre, and of a name that others have too", async () => {
  // More than a thousand acts are free. Two of five have the name, and two of seven away play jazz.
  const count = async ({ available, genre, search }: Asked) =>
    search
      ? { total: available ? 2 : 5, capped: false }
      : genre
        ? { total: 3, capped: false, away: 2 }
        : { total: 1_000, capped: true, away: 7 };
  const artists = { featured: async () => ({ items: [] }), list: async () => ({ items: [], nextCursor: null }), count };
  const read = async (address: string) => {
    const request = new Request(`https://stagedoor.test/${address}`);
    const { data } = await loader({ request, context: { get: () => ({ artists }) } } as never);
    if (data.list.failure) throw new Error(data.list.failure.message);
    return { heading: resultHeading(data.query, data.list, undefined), ...data.list };
  };
  const jazz = await read("?night=2027-02-13&town=Austin&genre=jazz");
  expect(jazz).toMatchObject({ heading: "3 acts are free and come to Austin", away: 2, listed: undefined });
  const named = await read("?night=2027-02-13&search=one");
  expect(named).toMatchObject({ heading: "2 acts are free", listed: { total: 5 } });
});

const query = { night: "2027-02-13", town: "Austin, Texas", kind: undefined };
test.each([
  [{ total: 9, capped: false, away: 114 }, "9 acts are free and come to Austin", /114 more are free but live/],
  [{ total: 0, capped: false, away: 1 }, "No acts are free and come to Austin", /1 more is free but lives/],
  [{ total: 1000, capped: true, away: 1001 }, /^More than 1,000 acts are free/, /More than 1,000 more are/],
  [{ total: 5, capped: false }, "5 acts are free", /We do not know Austin/],
])("resultHeading %o returns %s", (count, pattern, lead) => {
  expect(resultHeading(query, count, "2026-11-27")).toMatch(pattern);
  expect(resultNote(query, count, "2026-11-27")).toMatch(lead);
});

test.each([
  ["2027-11-28", "No acts are free and come to Austin", "Sunday 28 November 2027."],
  [
    "2099-05-01",
    "No acts are free and come to Austin",
    "Friday 1 May 2099. Artists can be booked at most two years ahead.",
  ],
  ["2026-11-26", "This date is in the past", "Thursday 26 November 2026. Choose a date from today on."],
])("names the year of %s and the reason for no result", (night, answer, lead) => {
  const none = { total: 0, capped: false, away: 0 };
  expect(resultHeading({ ...query, night }, none, "2026-11-27")).toBe(answer);
  expect(resultNote({ ...query, night }, none, "2026-11-27")).toBe(lead);
});
