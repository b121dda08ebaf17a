import { documentsAnchor } from "#platform/site-paths.rules.ts";
import { useBookingDocuments } from "../lib/api/booking-page.ts";
import { LoadedSection } from "./booking-sections.tsx";
import { DocumentList } from "./documents/document-list.tsx";

export const BookingDocuments = ({ id }: Readonly<{ id: string }>) => (
  <LoadedSection title="Receipts and invoices" id={documentsAnchor} height="3.5rem" query={useBookingDocuments(id)}>
    {({ items }) => <DocumentList documents={items} />}
  </LoadedSection>
);
