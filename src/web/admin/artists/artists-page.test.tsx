import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { AdminArtist } from "../../lib/api/admin/artists.ts";
import { currentToasts } from "../../lib/toasts.ts";
import AdminArtistPage from "./artist-page.tsx";
import AdminArtistsPage from "./artists-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({
  list: { data: undefined, error: null } as Answer,
  one: { data: undefined, error: null } as Answer,
  refetch: vi.fn(),
  change: vi.fn(),
  create: vi.fn(),
}));
vi.mock("../../lib/api/admin/artists.ts", () => {
  const query = (response: Answer) => ({
    ...response,
    isFetching: false,
    isPlaceholderData: false,
    refetch: server.refetch,
  });
  return {
    useAdminArtists: () => query(server.list),
    useAdminArtist: () => query(server.one),
    useChangeArtist: () => ({ isPending: false, variables: {}, mutateAsync: server.change }),
    useCreateArtist: () => ({ isPending: false, mutateAsync: server.create }),
  };
});
vi.mock("../../lib/site.ts", () => ({ useSite: () => ({ currency: "usd" }) }));

const artist: AdminArtist = {
  id: "a1",
  slug: "nova-kline",
  name: "Nova Kline",
  genre: "jazz",
  location: "Austin, Texas",
  base_rate: 150_000,
  top_rate: null,
  currency: "usd",
  price_confirmed: true,
  is_active: true,
  is_public: true,
  is_featured: false,
  shares_name: false,
  booked_count: 3,
  owner: null,
  created_at: "2026-11-19T12:00:00.000Z",
};
const show = (items: AdminArtist[]) => {
  server.list = { data: { items, total: items.length, capped: false }, error: null };
  return renderInMantine(<AdminArtistsPage />);
};
beforeEach(() => {
  vi.resetAllMocks();
  server.change.mockResolvedValue(artist);
  server.one = { data: undefined, error: null };
});
const table = () => within(screen.getByRole("region", { name: "Artists" }));

test("shows name, location, genre, price and state in a row", () => {
  show([artist, { ...artist, id: "a2", is_active: false, base_rate: 0 }]);
  const rows = table().getAllByRole("row");
  for (const part of ["Nova Kline", "Austin, Texas", "jazz", "$1,500", "3 shows", "Active"])
    expect(rows[1]?.textContent).toContain(part);
  for (const part of ["Inactive", "On request"]) expect(rows[2]?.textContent).toContain(part);
});

test("deactivates immediately, and undoes it from the message", async () => {
  show([artist]);
  fireEvent.click(table().getByRole("switch", { name: "Nova Kline can be found and booked" }));
  expect(server.change).toHaveBeenCalledWith({ id: "a1", is_active: false });
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe("Nova Kline is inactive"));
  currentToasts().at(-1)?.action?.run();
  await waitFor(() => expect(server.change).toHaveBeenLastCalledWith({ id: "a1", is_active: true }));
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe("Nova Kline is active again"));
});

test("shows the server's error for a rejected change", async () => {
  server.change.mockRejectedValue(apiError("internal", "Something went wrong.", 500));
  show([artist]);
  fireEvent.click(table().getByRole("switch"));
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ tone: "error", text: "Something went wrong." }));
});

test("features an artist on the front page by the menu of the row, and takes it back", async () => {
  show([artist, { ...artist, id: "a2", name: "Ada Bell", is_featured: true }]);
  fireEvent.click(table().getByRole("button", { name: "Actions: Nova Kline" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Feature" }));
  await waitFor(() => expect(server.change).toHaveBeenCalledWith({ id: "a1", is_featured: true }));
  expect(table().getByRole("row", { name: /Ada Bell/ }).textContent).toContain("Featured");
  fireEvent.click(table().getByRole("button", { name: "Actions: Ada Bell" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Unfeature" }));
  await waitFor(() => expect(server.change).toHaveBeenCalledWith({ id: "a2", is_featured: false }));
});

test("names a shared name in the row, and allows it by the menu", async () => {
  show([{ ...artist, shares_name: true }]);
  expect(table().getByRole("row", { name: /Nova Kline/ }).textContent).toContain("Another act has this name");
  fireEvent.click(table().getByRole("button", { name: "Actions: Nova Kline" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Allow same name" }));
  await waitFor(() => expect(server.change).toHaveBeenCalledWith({ id: "a1", allow_shared_name: true }));
});

test.each([
  ["an active artist", {}, true],
  ["an inactive artist", { is_active: false }, false],
  ["an artist whose page is hidden", { is_public: false }, false],
])("links %s to the public page only if there is one", async (_, state, linked) => {
  show([{ ...artist, ...state }]);
  fireEvent.click(table().getByRole("button", { name: "Actions: Nova Kline" }));
  await screen.findByRole("menuitem", { name: "Edit artist" });
  expect(screen.queryAllByRole("menuitem", { name: "Public profile" })).toHaveLength(linked ? 1 : 0);
  cleanup();
  server.one = { data: { ...artist, ...state, bio: "", photo_url: null, video_url: null }, error: null };
  renderInMantine(<AdminArtistPage params={{ id: "a1" }} />);
  screen.getByRole("heading", { name: "Nova Kline" });
  expect(screen.queryAllByRole("link", { name: "Public profile" })).toHaveLength(linked ? 1 : 0);
});

test("shows an empty state, and an error state if loading fails", () => {
  const { unmount } = show([]);
  expect(screen.getByText("No artists found matching your search.")).toBeTruthy();
  expect(screen.getByText(/^No artists yet\. /)).toBeTruthy();
  unmount();
  server.list = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminArtistsPage />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});

test("offers to save an artist only with a change, names it, and stays on the page afterwards", async () => {
  server.one = { data: { ...artist, bio: "", photo_url: null, video_url: null }, error: null };
  renderInMantine(<AdminArtistPage params={{ id: "a1" }} />);
  const canSave = () => !screen.getByRole<HTMLButtonElement>("button", { name: "Save", hidden: true }).disabled;
  expect(canSave()).toBe(false);
  type("Location (optional)", "Dallas, Texas");
  screen.getByText("1 change not saved: location.");
  press("Undo");
  expect(canSave()).toBe(false);
  expect(screen.getByLabelText<HTMLInputElement>("Location (optional)").value).toBe("Austin, Texas");
  type("Location (optional)", "Dallas, Texas");
  press("Save");
  await waitFor(() => expect(server.change.mock.lastCall?.[0]).toMatchObject({ id: "a1", location: "Dallas, Texas" }));
  await waitFor(() => expect(canSave()).toBe(false));
  expect(screen.getByLabelText<HTMLInputElement>("Location (optional)").value).toBe("Dallas, Texas");
});

test("requires a name and valid rates for a new artist, and shows what each rate means", async () => {
  server.create.mockResolvedValue(artist);
  renderInMantine(<AdminArtistPage params={{ id: "new" }} />);
  type("Base rate (in cents)", "1e5");
  press("Create artist");
  expect(await screen.findByText("Enter the artist's name.")).toBeTruthy();
  expect(screen.getByText("Enter an amount such as 1,500.00.")).toBeTruthy();
  expect(server.create).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole("textbox", { name: "Artist name" }), { target: { value: "Nova Kline" } });
  type("Base rate (in cents)", "1500");
  expect(screen.getByText(/^Shown as “From \$15” on the profile\./)).toBeTruthy();
  type("Base rate (in cents)", "1,500.50");
  expect(screen.getByText("Shown as “From $1,500.50” on the profile.")).toBeTruthy();
  press("Create artist");
  await waitFor(() => expect(server.create).toHaveBeenCalledOnce());
  expect(server.create.mock.calls[0]?.[0]).toMatchObject({ name: "Nova Kline", base_rate: 150_050, top_rate: null });
});

test("does not count as saved what was typed while the artist was being saved", async () => {
  server.one = { data: { ...artist, bio: "", photo_url: null, video_url: null }, error: null };
  const saving = Promise.withResolvers<AdminArtist>();
  server.change.mockReturnValue(saving.promise);
  renderInMantine(<AdminArtistPage params={{ id: "a1" }} />);
  type("Biography (optional)", "Four players.");
  press("Save");
  await waitFor(() => expect(server.change).toHaveBeenCalledWith({ id: "a1", bio: "Four players." }));
  type("Biography (optional)", "Four players from Austin.");
  saving.resolve(artist);
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe("Nova Kline is saved"));
  expect(screen.getByText("1 change not saved: biography.")).toBeTruthy();
});
