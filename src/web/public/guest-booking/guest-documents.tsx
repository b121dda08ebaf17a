import { documentsAnchor } from "#platform/site-paths.rules.ts";
import { DocumentList } from "../../booking/documents/document-list.tsx";
import type { BookingDocument } from "../../booking/documents/document-list.tsx";
import type { BookingResponse } from "../../booking/progress.ts";
import { useScrollToAnchor } from "../../lib/browser/use-scroll-to-anchor.ts";
import { type BrowserApi, GuestSection } from "./guest-section.tsx";

const readDocuments = async (api: BrowserApi, id: string): Promise<readonly BookingDocument[]> =>
  (await api.documents.ofBooking({ id })).items;

export function GuestDocuments({ booking }: Readonly<{ booking: BookingResponse }>) {
  const section = useScrollToAnchor<HTMLElement>(documentsAnchor);
  return (
    <GuestSection
      booking={booking}
      title="Receipts and invoices"
      loading="Loading the receipts and invoices"
      id={documentsAnchor}
      section={section}
      read={readDocuments}
    >
      {(documents) => <DocumentList documents={documents} />}
    </GuestSection>
  );
}
