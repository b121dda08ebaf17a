import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import { BookingPage } from "./booking-page.tsx";
import type { BookingResponse } from "./status/progress.ts";
import { shownBooking } from "./test-booking.ts";

type Answer = { data?: BookingResponse; error: Error | null; isFetching: boolean };
const server = vi.hoisted(() => ({
  refetch: vi.fn(),
  releaseHold: vi.fn(),
  accept: vi.fn(),
  decline: vi.fn(),
  complete: vi.fn(),
  release: vi.fn(),
  markSigned: vi.fn(),
  uploadSignedDocument: vi.fn(),
  object: vi.fn(),
  retryPayout: vi.fn(),
  settlePayout: vi.fn(),
  reportNoShow: vi.fn(),
  stateNoShow: vi.fn(),
  decideNoShow: vi.fn(),
}));
let response: Answer;
vi.mock("../lib/api/booking-page.ts", () => ({
  useBooking: () => ({ ...response, refetch: server.refetch }),
  useAcceptRequest: () => ({ mutateAsync: server.accept }),
  useDeclineRequest: () => ({ mutateAsync: server.decline }),
  useRefreshBookings: () => server.refetch,
  useMarkSigned: () => ({ mutateAsync: server.markSigned }),
  useStateNoShow: () => ({ mutateAsync: server.stateNoShow }),
  useDecideNoShow: () => ({ mutateAsync: server.decideNoShow }),
  useRetryPayout: () => ({ mutateAsync: server.retryPayout, isPending: false }),
  useRecordPayoutPaidOutside: () => ({ mutateAsync: server.settlePayout }),
}));
vi.mock("../lib/api/admin/contracts.ts", () => ({ uploadSignedDocument: server.uploadSignedDocument }));
vi.mock("../lib/api/browser-api.ts", () => ({
  browserApi: {
    bookings: {
      contract: { objectToContract: server.object },
      reportNoShow: server.reportNoShow,
      releaseOwnHold: server.releaseHold,
      complete: server.complete,
    },
  },
}));
vi.mock("../lib/api/booking-lists.ts", () => ({ useReleaseHold: () => ({ mutateAsync: server.release }) }));
vi.mock("./booking-documents.tsx", () => ({ BookingDocuments: () => <section aria-label="Documents" /> }));
vi.mock("./disputes/disputes.tsx", () => ({ Disputes: () => <section aria-label="Disputes" /> }));
vi.mock("./booking-reviews.tsx", () => ({ BookingReviews: () => <section aria-label="Reviews" /> }));

beforeEach(() => {
  // The shows of these tests are in 2027.
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
  vi.resetAllMocks();
});

export { server };

export const { id } = shownBooking;
export const mine: BookingResponse = { ...shownBooking, viewer: "promoter", has_account: true };

export function openWith(given: Answer, listPath: string = paths.promoterArea.bookings): void {
  response = given;
  renderInMantine(<OpenedPage listPath={listPath} />);
}

/** Opens another booking at the same address, as a link between two cached bookings does. */
export const openNext = (booking: Partial<BookingResponse>): void => {
  response = { ...response, data: { ...mine, ...booking } };
  fireEvent.click(screen.getByRole("button", { name: "Next" }));
};

function OpenedPage({ listPath }: Readonly<{ listPath: string }>) {
  const [, next] = useState(0);
  return (
    <>
      <BookingPage id={id} listPath={listPath} />
      <button type="button" onClick={() => next((before) => before + 1)}>
        Next
      </button>
    </>
  );
}

export const open = (booking: Partial<BookingResponse>): void =>
  openWith({ data: { ...mine, ...booking }, error: null, isFetching: false });
