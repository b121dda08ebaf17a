import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { ComponentProps } from "react";
import { createBrowserRouter, createRoutesStub, useLocation } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test, vi } from "vitest";
import type { ComparedArtist } from "#artists/api.ts";
import { currentToasts } from "../../lib/toasts.ts";
import { ArtistCard } from "../artist-card.tsx";
import { isOnlyComparison } from "../compare-tick/is-only-comparison.ts";
import { CompareTray } from "../landing/compare-tray.tsx";
import { listedArtist } from "../test-artist.ts";
import ComparePage from "./compare-page.tsx";
import { ComparisonTable } from "./comparison-table.tsx";

vi.mock("../../lib/site.ts", () => ({ useSite: () => ({ depositPercent: 25 }) }));

const artist = (slug: string, more: Partial<ComparedArtist> = {}): ComparedArtist => ({
  ...listedArtist(slug),
  name: `Act ${slug}`,
  years_experience: 3,
  equipment: ["Own sound"],
  requires_deposit: true,
  cancellation_policy: "standard",
  miles: null,
  ...more,
});
const acts = ["a", "b", "c", "d", "e"].map((slug) => artist(slug));

function Address() {
  return <output>{useLocation().search}</output>;
}

function showList() {
  const Page = () => (
    <>
      <ul>
        {acts.map((one) => (
          <ArtistCard key={one.slug} artist={one} />
        ))}
      </ul>
      <CompareTray query={{ night: "2027-02-13", town: "Austin", kind: undefined }} listed={acts} />
      <Address />
    </>
  );
  globalThis.history.replaceState(null, "", "/?genre=jazz");
  const { container } = render(<RouterProvider router={createBrowserRouter([{ path: "/", Component: Page }])} />);
  const read = (name: string) => new URLSearchParams(container.querySelector("output")?.textContent ?? "").get(name);
  return { marked: () => read("compare"), genre: () => read("genre") };
}
const mark = async (slug: string) =>
  fireEvent.click(await screen.findByRole("checkbox", { name: `Compare Act ${slug}` }));

test("stores the marked artists in the address and shows them in the tray, which links to the comparison from two on", async () => {
  const { marked, genre } = showList();
  expect(screen.queryByRole("region", { name: "Acts to compare" })).toBeNull();
  await mark("a");
  expect(screen.queryByRole("link", { name: "Compare" })).toBeNull();
  await mark("b");
  await waitFor(() => expect([marked(), genre()]).toEqual(["a,b", "jazz"]));
  expect(screen.getByRole("link", { name: "Compare" }).getAttribute("href")).toBe(
    "/compare?artists=a%2Cb&night=2027-02-13&town=Austin",
  );
  fireEvent.click(screen.getByRole("button", { name: "Remove Act a" }));
  await mark("b");
  await waitFor(() => expect(marked()).toBeNull());
});

test("rejects the fifth artist with a message", async () => {
  const { marked } = showList();
  for (const slug of ["a", "b", "c", "d", "e"]) await mark(slug);
  await waitFor(() => expect(currentToasts().map(({ title }) => title)).toContain("You can compare 4 acts"));
  expect(marked()).toBe("a,b,c,d");
  const fifth = screen.getByRole<HTMLInputElement>("checkbox", { name: "Compare Act e" });
  await waitFor(() => expect(fifth.checked).toBe(false));
});

function showTable(artists: readonly ComparedArtist[]) {
  const query = { night: "2027-02-13", town: "Austin", kind: undefined };
  const Stub = createRoutesStub([{ path: "/", Component: () => <ComparisonTable artists={artists} query={query} /> }]);
  render(<Stub />);
}
const cells = (label: string) =>
  within(screen.getByRole("rowheader", { name: label }).closest("tr") as HTMLElement)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);

test("marks the only best value of a row, and none if two are equal", () => {
  showTable([
    artist("a", {
      base_rate: 50_000,
      miles: 0,
      rating: 4.5,
      review_count: 3,
      night: { state: "free", message: "Free" },
    }),
    artist("b", { miles: 31, rating: 4.5, review_count: 9, requires_deposit: false }),
    artist("c", { base_rate: 0, miles: null }),
  ]);
  expect(screen.getAllByRole("columnheader").map((head) => within(head).getAllByRole("link")[0]?.textContent)).toEqual([
    "Act a",
    "Act b",
    "Act c",
  ]);
  expect(cells("Price for the night")).toEqual(["$500lowest", "$900", "On request"]);
  expect(cells("To pay now")).toEqual(["$125 deposit", "Nothing", "On request"]);
  expect(cells("Distance")).toEqual(["Based in Austinnearest", "31 miles", "Not known"]);
  expect(cells("Rating").filter((text) => text?.includes("highest"))).toEqual([]);
  expect(cells("Confirmation")).toEqual([
    "Instant, once the deposit is paid",
    "Within 72 hours",
    "Instant, once the deposit is paid",
  ]);
  expect(screen.queryByRole("rowheader", { name: "Listen" })).toBeNull();
  const searched = "?date=2027-02-13&town=Austin";
  expect(screen.getByRole("link", { name: "Act a" }).getAttribute("href")).toBe(`/artist/a${searched}`);
  expect(screen.getByRole("link", { name: "Book Act a" }).getAttribute("href")).toBe(`/book/a${searched}`);
  expect(screen.getByRole("link", { name: "Remove Act b" }).getAttribute("href")).toContain("artists=a%2Cc");
});

test("names the columns while their heads are above the window, at the table's sideways position", async () => {
  const observed: { notify: IntersectionObserverCallback; head: Element }[] = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly notify: IntersectionObserverCallback;
      constructor(notify: IntersectionObserverCallback) {
        this.notify = notify;
      }
      observe(head: Element) {
        observed.push({ notify: this.notify, head });
      }
      disconnect() {}
    },
  );
  showTable(acts.slice(0, 3));
  const frame = await screen.findByRole("region", { name: "Comparison" });
  const names = frame.previousElementSibling as HTMLElement;
  expect(names.textContent).toBe("Act aAct bAct c");
  expect([names.ariaHidden ?? names.getAttribute("aria-hidden"), names.dataset["shown"]]).toEqual(["true", undefined]);
  const move = (top: number, isIntersecting: boolean) =>
    act(() =>
      observed.forEach(({ notify }) =>
        notify(
          [{ isIntersecting, boundingClientRect: { top } } as IntersectionObserverEntry],
          {} as IntersectionObserver,
        ),
      ),
    );
  expect(observed.map(({ head }) => head.tagName)).toEqual(["THEAD"]);
  move(900, false);
  expect(names.dataset["shown"]).toBeUndefined();
  move(-200, false);
  expect(names.dataset["shown"]).toBe("true");
  frame.scrollLeft = 184;
  fireEvent.scroll(frame);
  expect(names.scrollLeft).toBe(184);
  move(0, true);
  expect(names.dataset["shown"]).toBeUndefined();
  vi.unstubAllGlobals();
});

test("lists what a cancellation costs line by line, once if all acts have the same policy", () => {
  const lines = () =>
    within(screen.getByRole("rowheader", { name: "If you cancel, you lose" }).closest("tr") as HTMLElement)
      .getAllByRole("cell")
      .map((cell) => within(cell).getAllByRole("listitem").length);
  showTable([artist("a"), artist("b")]);
  expect(lines()).toEqual([4]);
  cleanup();
  showTable([artist("a"), artist("b", { cancellation_policy: "flexible" })]);
  expect(lines()).toEqual([4, 4]);
});

test.each([
  ["/?compare=a", "/?compare=a,b", true],
  ["/?compare=a&genre=jazz", "/?genre=jazz", true],
  ["/?compare=a&genre=jazz", "/?genre=soul", false],
  ["/?genre=jazz", "/?genre=jazz", false],
])("isOnlyComparison from %s to %s returns %s", (from, to, only) => {
  expect(isOnlyComparison(new URL(from, "https://x.test"), new URL(to, "https://x.test"))).toBe(only);
});

const free = { state: "free", message: "Free, comes to Austin" } as const;
const away = { state: "away", message: "Free, 977 miles away" } as const;
test.each([
  ["Austin, Texas", [free, away], "One is free and comes to Austin."],
  ["Austin, Texas", [free, free], "Both are free and come to Austin."],
  ["Austin, Texas", [away, away], "None of them are free and come to Austin."],
  ["Austin, Texas", [free, free, free], "All three are free and come to Austin."],
  ["", [free, free, away], "2 of them are free."],
])("counts the acts of a comparison that are free and travel to the town: %j", (town, nights, text) => {
  const loaderData = {
    artists: nights.map((night, at) => artist(`act-${at}`, { night })),
    query: { night: "2027-02-13", town, kind: undefined },
    day: "Saturday 13 February",
  };
  const props = { loaderData } as unknown as ComponentProps<typeof ComparePage>;
  const Stub = createRoutesStub([{ path: "/", Component: () => <ComparePage {...props} /> }]);
  render(<Stub />);
  expect(screen.getByText(/^Saturday 13 February/).textContent).toContain(text);
});

test.each([
  [4, 0, /nearest\.$/],
  [4, 2, /nearest\. This link names 6 acts\. Four of them are compared\.$/],
  [3, 1, /nearest\. One act of this link can no longer be booked here\.$/],
])("with %d columns and %d other acts states why those are left out", (columns, left, text) => {
  const loaderData = { artists: acts.slice(0, columns), left, query: {}, day: undefined };
  const props = { loaderData } as unknown as ComponentProps<typeof ComparePage>;
  const Stub = createRoutesStub([{ path: "/", Component: () => <ComparePage {...props} /> }]);
  render(<Stub />);
  expect(screen.getByText(/^Search for a date/).textContent).toMatch(text);
});

test("scrolls to a control that takes the focus by keyboard", async () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <ComparisonTable artists={acts.slice(0, 2)} query={{ night: undefined, town: "", kind: undefined }} />
      ),
    },
  ]);
  render(<Stub />);
  const book = await screen.findByRole("link", { name: "Book Act b" });
  act(() => book.focus());
  expect(scrolled.mock.contexts).toEqual([book]);
});
