import { documentsAnchor } from "#platform/site-paths.rules.ts";
import { Loaded } from "../dashboard/section-failed.tsx";
import { useBookingDocuments } from "../lib/api/booking-page.ts";
import { useScrollToAnchor } from "../lib/browser/use-scroll-to-anchor.ts";
import { Skeleton } from "../ui/states/skeleton.tsx";
import { DocumentList } from "./documents/document-list.tsx";
import styles from "./booking.module.css";

export function BookingDocuments({ id }: Readonly<{ id: string }>) {
  const query = useBookingDocuments(id);
  const section = useScrollToAnchor<HTMLElement>(documentsAnchor);
  return (
    <section className={styles.section} id={documentsAnchor} ref={section}>
      <h2>Receipts and invoices</h2>
      <Loaded query={query} what="The documents" loading={<Skeleton height="3.5rem" />}>
        {({ items }) => <DocumentList documents={items} />}
      </Loaded>
    </section>
  );
}
