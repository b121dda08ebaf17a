import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, renderInMantine } from "../../dashboard/test-providers.tsx";
import { BookingDocuments } from "../booking-documents.tsx";
import { DocumentList, type BookingDocument } from "./document-list.tsx";

const server = vi.hoisted(() => ({ link: vi.fn(), toast: vi.fn(), refetch: vi.fn() }));
let response: { data?: { items: BookingDocument[] }; error: Error | null; isFetching: boolean };
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { documents: { link: server.link } } }));
vi.mock("../../lib/api/booking-page.ts", () => ({
  useBookingDocuments: () => ({ ...response, refetch: server.refetch }),
}));
vi.mock("../../lib/toasts.ts", () => ({ toast: server.toast }));

const receipt: BookingDocument = {
  id: "d1",
  number: "7KQ4MN-00001",
  kind: "receipt",
  payment_id: "p1",
  payment_kind: "deposit",
  currency: "usd",
  gross: 37_500,
  tax: 0,
  tax_label: "",
  occurred_at: "2026-11-20T12:00:00.000Z",
  issued_on: "2026-11-19",
};
const note: BookingDocument = { ...receipt, id: "d2", number: "7KQ4MN-00003", kind: "credit_note", gross: -10_000 };

const tab = { location: { href: "" }, close: vi.fn() };
beforeEach(() => {
  vi.resetAllMocks();
  tab.location.href = "";
  vi.stubGlobal("open", () => tab);
});

test("shows a document's kind, number, day and amount, with a credit note as negative", () => {
  render(<DocumentList documents={[receipt, { ...note, tax: -1_597, tax_label: "VAT" }]} />);
  const [first, second] = screen.getAllByRole("listitem");
  expect(first?.textContent).toMatch(/^Receipt, deposit7KQ4MN-00001, Fri 20 Nov 2026\$375\.00Open/);
  expect(second?.textContent).toMatch(/^Credit note, deposit7KQ4MN-00003, .*−\s\$15\.97 VAT included−\s\$100\.00Open/);
});

test("opens a document in a new tab by the server's link", async () => {
  server.link.mockResolvedValue({ url: "/api/documents/d2/file?until=1&key=a" });
  render(<DocumentList documents={[note]} />);
  fireEvent.click(screen.getByRole("button", { name: "Open Credit note 7KQ4MN-00003 (opens in a new tab)" }));
  await waitFor(() => expect(tab.location.href).toBe("/api/documents/d2/file?until=1&key=a"));
  expect(server.link).toHaveBeenCalledWith({ id: "d2" });
});

test("shows a server error and closes the empty tab", async () => {
  server.link.mockRejectedValue(apiError("not_found", "Document not found", 404));
  render(<DocumentList documents={[receipt]} />);
  fireEvent.click(screen.getByRole("button"));
  await waitFor(() =>
    expect(server.toast).toHaveBeenCalledWith(expect.objectContaining({ text: "Document not found" })),
  );
  expect(tab.close).toHaveBeenCalledOnce();
});

test("explains when the first document is created, and shows Retry after a failure", () => {
  response = { data: { items: [] }, error: null, isFetching: false };
  renderInMantine(<BookingDocuments id="b1" />);
  expect(screen.getByText(/No receipts or invoices yet/)).toBeTruthy();
  cleanup();
  response = { error: apiError("unavailable", "The database cannot be reached.", 503), isFetching: false };
  renderInMantine(<BookingDocuments id="b1" />);
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toContain("The receipts and invoices could not be loaded.");
  fireEvent.click(within(alert).getByRole("button", { name: "Retry" }));
  expect(server.refetch).toHaveBeenCalledOnce();
});

test("scrolls to the section for an email's link", () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  response = { data: { items: [receipt] }, error: null, isFetching: false };
  renderInMantine(<BookingDocuments id="b1" />, undefined, "/#documents");
  expect(scrolled).toHaveBeenCalledOnce();
});
