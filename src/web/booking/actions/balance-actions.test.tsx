import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { statusMessageFor } from "../status/status-message.ts";
import { noPermissions, shownBooking } from "../test-booking.ts";
import { BookingActions } from "./booking-actions.tsx";

const server = vi.hoisted(() => ({
  link: {} as { data?: { url: string; message: string }; error?: Error | null },
  figures: {} as { data?: object; error?: Error | null },
  createLink: vi.fn(),
  extend: vi.fn(),
  release: vi.fn(),
  refetch: vi.fn(),
}));
vi.mock("../../lib/api/booking-page.ts", () => ({
  useRefreshBookings: () => server.refetch,
  useCreateBalanceLink: () => ({ mutate: server.createLink, ...server.link }),
  useExtendBalance: () => ({ mutateAsync: server.extend }),
  useReleaseFigures: () => ({ ...server.figures, refetch: server.refetch }),
  useReleaseDate: () => ({ mutateAsync: server.release }),
}));
vi.mock("../../lib/api/booking-lists.ts", () => ({}));
vi.mock("../../lib/api/admin/contracts.ts", () => ({}));
vi.mock("../../lib/api/browser-api.ts", () => ({}));

beforeEach(() => {
  vi.resetAllMocks();
  server.link = {};
  server.figures = {};
});

const { id } = shownBooking;
const artists: BookingResponse = { ...shownBooking, viewer: "artist", can: noPermissions };
const late: BookingResponse = {
  ...artists,
  status: "contract_signed",
  can: { ...noPermissions, decide_balance: true },
  money: { ...shownBooking.money, outstanding_cents: 112_500, commission_cents: 13_000, net_cents: 117_000 },
  balance: {
    due_day: "2027-01-16",
    due_at: "2027-01-17T06:00:00Z",
    overdue: true,
    extended: false,
    artist_decides: true,
    charge_declined: false,
    extend: { from: "2027-01-30", to: "2027-02-12" },
  },
};
const draw = (booking: BookingResponse) => renderInMantine(<BookingActions booking={booking} onChanged={vi.fn()} />);

test("shows a balance link with its effect and its start of validity, and copies and opens it", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const url = `http://localhost:3000/pay/${id}/balance?key=abc`;
  server.link = { data: { url, message: "It takes money once both of you have signed the contract." } };
  draw({ ...artists, status: "deposit_paid", can: { ...noPermissions, create_balance_link: true } });
  press("Create Balance Link");
  const dialog = within(await screen.findByRole("dialog"));
  expect(server.createLink).toHaveBeenCalledWith({ id });
  dialog.getByText(/can pay the balance of \$1,125, and nothing else. It takes money once both/);
  const open = dialog.getByRole("link", { name: /Open/ });
  expect([open.getAttribute("href"), open.getAttribute("target")]).toEqual([url, "_blank"]);
  fireEvent.click(dialog.getByRole("button", { name: "Copy" }));
  await dialog.findByRole("button", { name: "Copied" });
  expect(writeText).toHaveBeenCalledWith(url);
});

test("shows why a balance link failed, and retries", async () => {
  server.link = { error: apiError("conflict", "A balance link is prepared while the contract is not yet sent.", 409) };
  draw({ ...artists, status: "deposit_paid", can: { ...noPermissions, create_balance_link: true } });
  press("Create Balance Link");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/while the contract is not yet sent/);
  fireEvent.click(dialog.getByRole("button", { name: "Retry" }));
  expect(server.createLink).toHaveBeenCalledTimes(2);
});

test("extends the balance deadline until the day before the event, and sends no other day", async () => {
  server.extend.mockResolvedValue({});
  draw(late);
  press("Give more time");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(
    /You get \$1,170 after the show: \$1,500 less refunds and lost disputes of \$200 and a commission of \$130\./,
  );
  const day = dialog.getByRole<HTMLInputElement>("combobox", { name: "Pay by" });
  expect(day.value).toBe("Tue 2 Feb 2027");
  fireEvent.input(day, { target: { value: "13 Feb 2027" } });
  fireEvent.click(dialog.getByRole("button", { name: "Give more time" }));
  await dialog.findByText(/Choose a day from Saturday 30 January to Friday 12 February/);
  expect(server.extend).not.toHaveBeenCalled();
  fireEvent.input(day, { target: { value: "5 Feb 2027" } });
  fireEvent.click(dialog.getByRole("button", { name: "Give more time" }));
  await waitFor(() => expect(server.extend).toHaveBeenCalledWith({ id, due_day: "2027-02-05" }));
});

test("shows the amounts of a release, sends exactly them, and reloads changed ones", async () => {
  server.figures = {
    data: { refund_cents: 10_000, artist_keeps_cents: 24_750, commission_cents: 2_750, currency: "usd" },
  };
  server.release.mockRejectedValueOnce(apiError("conflict", "The amounts have changed meanwhile.", 409));
  draw(late);
  press("Release the date");
  const dialog = within(await screen.findByRole("dialog"));
  const figures = ["You keep", "Commission", "Refund to the payer"];
  expect(figures.map((word) => dialog.getByText(word).nextSibling?.textContent)).toEqual(["$247.50", "$27.50", "$100"]);
  fireEvent.click(dialog.getByRole("button", { name: "Release the date" }));
  await waitFor(() => expect(server.release).toHaveBeenCalledWith({ id, expected_refund_cents: 10_000 }));
  await dialog.findByText("The amounts have changed meanwhile.");
  expect(server.refetch).toHaveBeenCalled();
});

test("offers the decision only if the server allows it", () => {
  draw({ ...late, can: noPermissions });
  expect(screen.queryByRole("button", { name: "Give more time" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Release the date" })).toBeNull();
});

test("describes an overdue balance to each side, with its due date and what may follow", () => {
  const message = (booking: BookingResponse) => `${statusMessageFor(booking).title} ${statusMessageFor(booking).text}`;
  expect(message(late)).toBe(
    "The balance is unpaid: you decide. It was due on 16 January. Give Hannah Whitt more time, or release the date by the cancellation terms. Until then it can still be paid.",
  );
  const promoter: BookingResponse = { ...late, viewer: "promoter", can: { ...noPermissions, pay: "balance" } };
  expect(message(promoter)).toContain("Until it is paid, Electric Dreams may release the date");
  const early = { ...promoter, balance: late.balance && { ...late.balance, artist_decides: false } };
  expect(message(early)).toBe("The balance is overdue. It was due on 16 January. Pay it now to keep the date.");
  const more = { ...early, balance: late.balance && { ...late.balance, overdue: false, extended: true } };
  expect(message(more)).toContain("Electric Dreams gave you more time.");
  expect(message({ ...late, viewer: "admin" })).toContain("The artist decides.");
});

test("describes an unpaid balance once the show has begun, when the artist can no longer decide", () => {
  const text = (booking: BookingResponse) =>
    statusMessageFor(booking).text.replace(/until .*, your time/, "until then");
  const begun = (next: "balance_or_end" | "balance_stays_open"): BookingResponse => ({
    ...late,
    can: { ...noPermissions, create_balance_link: true },
    balance: late.balance && { ...late.balance, artist_decides: false, extend: null },
    money: {
      ...late.money,
      parts: late.money.parts
        .filter(({ part }) => part === "balance")
        .map((part) => ({ ...part, next, until: next === "balance_or_end" ? "2027-03-16T05:30:00Z" : null })),
    },
  });
  const toPromoter = { viewer: "promoter", can: { ...noPermissions, pay: "balance" } } as const;
  const ends = "until then. Otherwise the booking ends and the cancellation terms apply.";
  expect(text({ ...begun("balance_or_end"), ...toPromoter })).toBe(
    `It was due on 16 January. Pay it now. You can pay it ${ends}`,
  );
  expect(text(begun("balance_or_end"))).toBe(
    `It was due on 16 January. Hannah Whitt can pay it ${ends} You can create a balance link for Hannah Whitt.`,
  );
  expect(text({ ...begun("balance_stays_open"), ...toPromoter })).toBe(
    "It was due on 16 January. Pay it now. The booking stays open until it is paid or an admin cancels it.",
  );
  const toAdmin = { viewer: "admin", can: { ...noPermissions, pay: "balance", cancel: true } } as const;
  expect(text({ ...begun("balance_or_end"), ...toAdmin })).toBe(
    `It was due on 16 January. Hannah Whitt can pay it ${ends} You can pay it on behalf of Hannah Whitt or cancel the booking.`,
  );
});
