import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { DataList } from "./data-list.tsx";
import { FilterTabs } from "./list-filters.tsx";
import { PagedBody } from "./paged-body.tsx";

type Row = { id: string };
type Data = { items: Row[]; total: number; capped: boolean };
const rows = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: String(at) }));

function open(address: string, data: Data, standardSort?: string) {
  const element = <List data={data} standardSort={standardSort} />;
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
  render(
    <MantineProvider env="test" withCssVariables={false}>
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return router;
}

function List({ data, standardSort }: Readonly<{ data: Data; standardSort: string | undefined }>) {
  const [found, setFound] = useState(data);
  const query = { data: found, error: null, isFetching: false, isPlaceholderData: false, refetch: () => undefined };
  return (
    <>
      <button type="button" onClick={() => setFound({ items: [], total: 0, capped: false })}>
        Find nothing
      </button>
      <FilterTabs
        label="Status"
        name="status"
        chosen=""
        tabs={[
          { value: "", label: "All", count: 1_234 },
          { value: "canceled", label: "Canceled" },
        ]}
      />
      <PagedBody query={query} what="Rows" empty={{ title: "No rows found" }}>
        {(items) => (
          <DataList
            caption="Rows"
            ordered="newest first"
            {...(standardSort && { standardSort })}
            label="Rows"
            rows={items}
            columns={[
              { title: "Event", cell: (row) => row.id, sort: "event" },
              { title: "Name", cell: (row) => row.id },
            ]}
            card={(row) => ({ title: row.id, lines: [] })}
          />
        )}
      </PagedBody>
    </>
  );
}
const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");

test("shows the range of a page, and links to the previous and next one with the filters", () => {
  open("/list?status=canceled&page=2", { items: rows(25), total: 60, capped: false });
  expect(screen.getByText("26 to 50 of 60")).toBeTruthy();
  expect(hrefOf("Previous")).toBe("/list?status=canceled");
  expect(hrefOf("Next")).toBe("/list?status=canceled&page=3");
});

test("disables Next on the last page", () => {
  open("/list?page=3", { items: rows(10), total: 60, capped: false });
  expect(screen.getByRole("button", { name: "Next" })).toHaveProperty("disabled", true);
  expect(screen.getByText("51 to 60 of 60")).toBeTruthy();
});

test("marks a capped count", () => {
  open("/list", { items: rows(25), total: 10_000, capped: true });
  expect(screen.getByText("1 to 25 of more than 10,000")).toBeTruthy();
});

test("shows no empty state for a page beyond the end", () => {
  open("/list?page=9", { items: [], total: 60, capped: false });
  expect(screen.queryByText("No rows found")).toBeNull();
  expect(hrefOf("Previous")).toBe("/list?page=3");
});

test("announces an empty list in a region that was there before", async () => {
  open("/list?search=a", { items: rows(2), total: 2, capped: false });
  const region = document.querySelector("[aria-live=polite]");
  await userEvent.click(screen.getByRole("button", { name: "Find nothing" }));
  expect(region?.isConnected).toBe(true);
  expect(region?.textContent).toContain("No rows found");
});

test("resets the page for a tab and an order, and reverses the order", () => {
  open("/list?page=2&sort=event", { items: rows(25), total: 60, capped: false });
  expect(hrefOf("Canceled")).toBe("/list?sort=event&status=canceled");
  expect(screen.getByRole("link", { name: /All/ }).getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("columnheader", { name: /Event/ }).getAttribute("aria-sort")).toBe("ascending");
  expect(hrefOf("Event")).toBe("/list?sort=-event");
});

test("marks the column of the default order, and reverses that order", () => {
  open("/list", { items: rows(25), total: 60, capped: false }, "-event");
  const head = screen.getByRole("columnheader", { name: /Event/ });
  expect(head.getAttribute("aria-sort")).toBe("descending");
  expect(head.textContent).toBe("Event↓");
  expect(hrefOf("Event")).toBe("/list?sort=event");
});

test("orders the cards by a menu, and resets the page", async () => {
  const router = open("/list?page=2&status=canceled", { items: rows(25), total: 60, capped: false });
  const order = screen.getByRole("combobox", { name: "Order" });
  expect(Array.from(order.querySelectorAll("option"), ({ label }) => label)).toEqual([
    "Newest first",
    "Event, ascending",
    "Event, descending",
  ]);
  await userEvent.selectOptions(order, "-event");
  expect(router.state.location.search).toBe("?status=canceled&sort=-event");
});

test("shows the default order above the table, and that a marked column replaces it", () => {
  open("/list", { items: rows(3), total: 3, capped: false });
  expect(screen.getByText("Newest first", { selector: "p" })).toBeTruthy();
  cleanup();
  open("/list?sort=event", { items: rows(3), total: 3, capped: false });
  expect(screen.queryByText("Newest first", { selector: "p" })).toBeNull();
  expect(screen.getByText("Sorted by the marked column")).toBeTruthy();
});
