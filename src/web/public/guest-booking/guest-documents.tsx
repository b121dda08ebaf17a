/** The receipts on the guest's page of a booking. They follow the page, which reads itself again while it is seen. */
import { useCallback, useEffect, useState } from "react";
import { DocumentList, useArrival } from "../../documents/document-list.tsx";
import type { ShownDocument } from "../../documents/open-document.tsx";
import { type ApiError, apiErrorOf } from "../../lib/api/api-error.ts";
import type { ShownBooking } from "../../lib/booking/progress.ts";
import { documentsAnchor } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import shared from "../programme.module.css";

/** Reads the documents; what could not be read says so and takes nothing away. */
export function GuestDocuments({ booking }: Readonly<{ booking: ShownBooking }>) {
  const [documents, setDocuments] = useState<readonly ShownDocument[]>();
  const [error, setError] = useState<ApiError>();
  const section = useArrival<HTMLElement>();
  const { id } = booking;
  const load = useCallback(async () => {
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      setDocuments((await browserApi.documents.ofBooking({ id })).items);
      setError(undefined);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }, [id]);
  useEffect(() => void load(), [load, booking]);
  return (
    <section className={shared.part} id={documentsAnchor} ref={section}>
      <h2>Receipts</h2>
      {documents ? <DocumentList documents={documents} /> : null}
      {error && !documents ? (
        <>
          <p role="alert" className="note cherry">
            The receipts could not be loaded. {error.message}
          </p>
          <Button tone="line" onClick={() => void load()}>
            Retry
          </Button>
        </>
      ) : null}
      {error || documents ? null : (
        <p className="small quiet" role="status">
          Loading the receipts
        </p>
      )}
    </section>
  );
}
