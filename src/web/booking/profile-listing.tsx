import { useState } from "react";
import { Switch } from "../dashboard/switch.tsx";
import type { browserApi } from "../lib/api/browser-api.ts";
import { attempt } from "../lib/attempt.ts";
import { formatDay } from "../lib/format/dates.ts";
import type { Message } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import type { BookingResponse } from "./status/progress.ts";
import styles from "./booking.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;
type Listed = Props & Readonly<{ listing: NonNullable<BookingResponse["listing"]> }>;

export function ProfileListing({ booking, onChanged }: Props) {
  const { listing, viewer } = booking;
  if (!listing) return null;
  return (
    <section className={styles.section}>
      <h2>Public profile</h2>
      {viewer === "artist" ? (
        <ArtistListing booking={booking} listing={listing} onChanged={onChanged} />
      ) : (
        <PromoterListing booking={booking} listing={listing} onChanged={onChanged} />
      )}
    </section>
  );
}

const describeShow = ({ show: { date, town, venue } }: Listed["listing"]): string =>
  [formatDay(date, { year: true }), venue, town].filter(Boolean).join(", ");

function useChange(onChanged: () => void) {
  const [busy, setBusy] = useState(false);
  type Api = (typeof browserApi)["bookings"]["listing"];
  const change = async (send: (api: Api) => Promise<unknown>, done: Message) => {
    setBusy(true);
    const work = async () => send((await import("../lib/api/browser-api.ts")).browserApi.bookings.listing);
    await attempt(work, done, "The show could not be changed");
    setBusy(false);
    onChanged();
  };
  return { busy, change };
}

function ArtistListing({ booking: { id }, listing, onChanged }: Listed) {
  const { busy, change } = useChange(onChanged);
  if (listing.state === "taken_off")
    return <p className="quiet">The promoter took this show off your profile. It cannot be listed again.</p>;
  const set = (listed: boolean) =>
    change((api) => api.set({ id, listed }), { title: listed ? "Show listed" : "Show no longer listed" });
  return (
    <label className={styles.listing} htmlFor="listed">
      <span>
        <strong>List this show</strong>
        <small className="quiet" id="listed-description">
          Visitors see {describeShow(listing)}, and nothing else of the booking. The promoter can take it off.
        </small>
      </span>
      <Switch
        name="listed"
        label="List this show"
        describedBy="listed-description"
        checked={listing.state === "listed"}
        busy={busy}
        onChange={(listed) => void set(listed)}
      />
    </label>
  );
}

function PromoterListing({ booking: { id, artist, viewer, mailbox_unverified }, listing, onChanged }: Listed) {
  const { busy, change } = useChange(onChanged);
  const mayTakeOff = viewer !== "admin" && !mailbox_unverified;
  const done = { title: "Show no longer listed", text: `${artist.name} cannot list it again.` };
  return (
    <>
      <p>
        {artist.name} lists this show for visitors: {describeShow(listing)}. Nothing else of the booking is public.
        {mayTakeOff ? ` If you take it off, ${artist.name} cannot list it again.` : null}
      </p>
      {mayTakeOff ? (
        <div className={styles.actions}>
          <Button
            tone="line"
            busy={busy}
            busyLabel="Saving..."
            onClick={() => void change((api) => api.takeOff({ id }), done)}
          >
            Take off the profile
          </Button>
        </div>
      ) : null}
    </>
  );
}
