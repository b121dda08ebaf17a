import { DocumentList, useArrival } from "../../booking/documents/document-list.tsx";
import type { BookingDocument } from "../../booking/documents/document-list.tsx";
import type { BookingResponse } from "../../booking/progress.ts";
import { documentsAnchor } from "#platform/site-paths.rules.ts";
import { type BrowserApi, GuestPart } from "./guest-part.tsx";

const readDocuments = async (api: BrowserApi, id: string): Promise<readonly BookingDocument[]> =>
  (await api.documents.ofBooking({ id })).items;

export function GuestDocuments({ booking }: Readonly<{ booking: BookingResponse }>) {
  const section = useArrival<HTMLElement>();
  return (
    <GuestPart
      booking={booking}
      title="Receipts and invoices"
      loading="Loading the receipts and invoices"
      id={documentsAnchor}
      section={section}
      read={readDocuments}
    >
      {(documents) => <DocumentList documents={documents} />}
    </GuestPart>
  );
}
