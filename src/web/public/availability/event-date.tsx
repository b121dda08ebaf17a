import { useEffect, useId, useRef, useState } from "react";
import { localToday } from "../../lib/format/dates.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { type ArtistDates, AvailabilityCalendar } from "./availability-calendar.tsx";
import styles from "./event-date.module.css";

type Props = Readonly<{
  artist: ArtistDates;
  firstDate: string;
  date: string;
  error: string | undefined;
  onChoose(date: string): void;
}>;

/**
 * A date can be typed, or chosen among the artist's free days. The typed field stays: it needs no script, and a phone has its own keys
 * for it. The calendar shows the dates that came with the page, so it asks the server nothing; the answer to a chosen date is asked
 * for as to a typed one.
 */
export function EventDate({ artist, firstDate, date, error, onChoose }: Props) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  // The reader's local date is not known where the page is rendered for all visitors.
  const ready = useHydrated();
  const close = () => {
    setOpen(false);
    opener.current?.querySelector("button")?.focus();
  };
  const closeByKey = useRef(close);
  useEffect(() => {
    closeByKey.current = close;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && closeByKey.current();
    const element = panel.current;
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, [open]);
  return (
    <>
      <div ref={opener} className={styles.date} data-calendar={ready || undefined}>
        <TextField label="Event date" name="eventDate" type="date" required defaultValue={firstDate} error={error} />
        <Button
          tone="line"
          size="sm"
          disabled={!ready}
          data-waiting={!ready || undefined}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => (open ? close() : setOpen(true))}
        >
          {open ? "Close the calendar" : "Choose from the calendar"}
        </Button>
      </div>
      {open ? (
        <div ref={panel} id={id} className={`sheet ${styles.calendar}`}>
          <AvailabilityCalendar
            artist={artist}
            today={localToday()}
            chosen={date || undefined}
            takesFocus
            heading="h2"
            onChoose={(chosen) => {
              onChoose(chosen);
              close();
            }}
          />
        </div>
      ) : null}
    </>
  );
}
