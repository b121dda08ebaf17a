import { Skeleton } from "@mantine/core";
import { DocumentList, useArrival } from "./documents/document-list.tsx";
import { useBookingDocuments } from "../lib/api/booking-page.ts";
import { documentsAnchor } from "#platform/site-paths.rules.ts";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import styles from "./booking.module.css";

export function BookingDocuments({ id }: Readonly<{ id: string }>) {
  const query = useBookingDocuments(id);
  const section = useArrival<HTMLElement>();
  return (
    <section className={styles.section} id={documentsAnchor} ref={section}>
      <h2>Receipts and invoices</h2>
      {query.data ? (
        <DocumentList documents={query.data.items} />
      ) : query.error && !query.isFetching ? (
        <SectionFailed what="The documents" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height="3.5rem" />
      )}
    </section>
  );
}
