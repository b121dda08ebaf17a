import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import { currentToasts } from "../lib/toasts.ts";
import PromoterBookingsPage from "./bookings-page.tsx";

const refresh = vi.hoisted(() => vi.fn());
vi.mock("../lib/api/browser-api.ts", () => ({ browserApi: {} }));
vi.mock("../lib/api/booking-page.ts", () => ({ useRefreshBookings: () => refresh }));
vi.mock("../booking/list/pending-actions.tsx", () => ({
  PendingActions: () => null,
  useShowsPendingActions: () => true,
}));
vi.mock("../booking/list/own-bookings.tsx", () => ({ OwnBookings: () => null }));

test("reports a payment page that failed to open a checkout and reloads the bookings, with the specification's text", async () => {
  renderInMantine(<PromoterBookingsPage />);
  screen.getByText("Deadlines are in your time zone.");
  const paymentTab = new BroadcastChannel("stagedoor-pay");
  paymentTab.postMessage({ failed: "a booking" });
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([
      { tone: "error", title: "Payment Error", text: "Failed to process payment. Please try again." },
    ]),
  );
  expect(refresh).toHaveBeenCalledOnce();
  paymentTab.close();
});
