import { NativeSelect } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { AgreementSections } from "../../booking/contract/agreement-sections.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import {
  type TemplatePreview as Preview,
  usePreviewBookings,
  usePreviewTemplate,
} from "../../lib/api/admin/contracts.ts";
import { formatWeekdayDate } from "../../lib/format/dates.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { inputOf, type TemplateDraft } from "./template-draft.ts";
import styles from "./templates.module.css";

type Props = Readonly<{
  draft: TemplateDraft;
  onFailed(error: unknown): void;
}>;

export function TemplatePreview({ draft, onFailed }: Props) {
  const bookings = usePreviewBookings();
  const preview = usePreviewTemplate();
  const [chosen, setChosen] = useState("");
  const items = bookings.data?.items ?? [];
  const bookingId = chosen || items[0]?.id;
  const [shown, setShown] = useState<TemplateDraft>();
  const make = async () => {
    if (!bookingId) return;
    setShown(draft);
    try {
      await preview.mutateAsync({ booking_id: bookingId, ...inputOf(draft) });
    } catch (error) {
      onFailed(error);
    }
  };
  // A chosen booking is previewed without a click, including the first one.
  const showBooking = useEffectEvent(() => void make());
  useEffect(() => showBooking(), [bookingId]);
  const isLoading = !preview.data && !preview.isError && !bookings.error && (!bookings.data || items.length > 0);
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={isLoading || undefined}>
      <h2>Preview</h2>
      {bookings.error && !bookings.isFetching && !bookings.data ? (
        <SectionFailed what="The bookings" query={bookings} />
      ) : bookings.data && items.length === 0 ? (
        <p className="quiet">There is no booking yet to try the template with.</p>
      ) : (
        <>
          <NativeSelect
            label="With the booking"
            disabled={!bookings.data}
            value={bookingId ?? ""}
            data={items.map(({ id, number, artist, event_date }) => ({
              value: id,
              label: `${number}, ${artist.name}, ${formatWeekdayDate(event_date)}`,
            }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          {shown && (shown !== draft || preview.isError) ? (
            <div className={styles.tools}>
              <Button tone="line" busy={preview.isPending} busyLabel="Making..." onClick={() => void make()}>
                Show the preview
              </Button>
              {shown === draft ? null : <span className="small quiet">The text has changed since this preview.</span>}
            </div>
          ) : null}
        </>
      )}
      {preview.data ? <Agreement preview={preview.data} /> : null}
      {isLoading ? <Skeleton height="60rem" aria-hidden /> : null}
    </section>
  );
}

function Agreement({ preview }: Readonly<{ preview: Preview }>) {
  const { number, title, parties, sections, pages, pdf } = preview;
  return (
    <>
      <div className={styles.tools}>
        <LinkButton
          tone="line"
          size="sm"
          href={`data:application/pdf;base64,${pdf}`}
          download={`preview-${number}.pdf`}
        >
          Download as PDF
        </LinkButton>
        <span className="small quiet">
          {pages} {pages === 1 ? "page" : "pages"}. Nothing is stored.
        </span>
      </div>
      <article className={styles.paper} aria-label={`Agreement of ${number}`}>
        <h3>{title}</h3>
        <p>
          between {parties.promoter} (the promoter) and {parties.artist} (the artist)
        </p>
        <AgreementSections heading="h4" sections={sections} />
      </article>
    </>
  );
}
