import { Link } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import { rankName } from "#calendar/queue.rules.ts";
import { displayedContractStatus } from "#contracts/rules.ts";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import {
  formatDay,
  formatWeekdayDate,
  formatDeadline,
  formatMomentAlone,
  formatRelativeMoment,
  timeIn,
} from "../../lib/format/dates.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { AttestedContract } from "../contract/attested-contract.tsx";
import { ContractText } from "../contract/contract-text.tsx";
import { OpenContract } from "../contract/open-contract.tsx";
import { ReadContract } from "../contract/sign-contract.tsx";
import { type BookingResponse, isPromoter, signsBefore } from "../status/progress.ts";
import { methodLabels } from "./signature-labels.ts";
import styles from "../booking.module.css";

type Props = Readonly<{ booking: BookingResponse }>;

export function Night({ booking, poster = true }: Props & Readonly<{ poster?: boolean }>) {
  const { artist, time_zone: zone } = booking;
  const address = booking.venue_address === booking.venue_name ? null : booking.venue_address;
  return (
    <section className={styles.section}>
      <h2>{booking.status === "initiated" && isPromoter(booking) ? "Your request" : "The night"}</h2>
      <div className={styles.night}>
        {poster ? <img className={styles.poster} src={posterUrl(artist)} width={600} height={800} alt="" /> : null}
        <dl className={styles.lines}>
          <DetailRow label="Date">{formatWeekdayDate(booking.event_date)}</DetailRow>
          <DetailRow label="Set">
            {booking.event_time} to {timeIn(zone, new Date(booking.ends_at))}
          </DetailRow>
          <DetailRow label="Event">
            {booking.event_type}
            {booking.guest_count === null ? "" : `, ${booking.guest_count}\u00a0guests`}
          </DetailRow>
        </dl>
      </div>
      <dl className={styles.lines}>
        <DetailRow label="Venue">
          {booking.venue_name}
          {address ? <small>{address}</small> : null}
        </DetailRow>
        {booking.duration ? <DetailRow label="Duration">{booking.duration}</DetailRow> : null}
        {booking.special_requests ? (
          <DetailRow label="Requests">
            <span className={styles.notes}>{booking.special_requests}</span>
          </DetailRow>
        ) : null}
        <HoldRows booking={booking} />
      </dl>
    </section>
  );
}

export function People({ booking }: Props) {
  const { artist, viewer, promoter_email: email, promoter_phone: phone } = booking;
  return (
    <section className={styles.section}>
      <h2>People</h2>
      <dl className={styles.lines}>
        <DetailRow label="Artist">
          {viewer === "admin" ? (
            <Link to={paths.admin.artist(artist.id)}>{artist.name}</Link>
          ) : artist.has_page ? (
            <Link to={paths.artist(artist.slug)}>{artist.name}</Link>
          ) : (
            <strong>{artist.name}</strong>
          )}
          <small className="cap">
            {artist.genre}, {artist.location}
          </small>
        </DetailRow>
        <DetailRow label="Promoter">
          <strong>{booking.promoter_name}</strong>
          {email ? (
            <small>
              <a href={mailtoOf(email)}>{email}</a>
            </small>
          ) : null}
          {phone ? (
            <small>
              <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{formatPhone(phone)}</a>
            </small>
          ) : null}
          {email || phone || booking.status === "canceled" ? null : (
            <small>Contact details are shown here when both have signed</small>
          )}
          {viewer === "admin" && !booking.has_account ? <small>No account</small> : null}
        </DetailRow>
      </dl>
    </section>
  );
}

export function Contract({ booking, onChanged }: Props & Readonly<{ onChanged(): void }>) {
  const { contract, status } = booking;
  const until = booking.deadlines.find(({ kind }) => kind === "signatures_due");
  return (
    <section className={styles.section}>
      <h2>Contract</h2>
      {contract === null ? (
        <p className="quiet">
          {status === "canceled"
            ? "No contract was drafted."
            : booking.answer_due_at
              ? "We draft and send it once the artist has accepted."
              : booking.fee_cents === 0
                ? "We draft it once the price is agreed."
                : `We email it to ${booking.viewer === "admin" ? "both sides" : "both of you"} once the deposit is paid.`}
        </p>
      ) : (
        <>
          <p className={styles.status}>
            <StatusBadge entity="contract" value={displayedContractStatus(contract.status, status === "canceled")} />
          </p>
          <dl className={styles.lines}>
            {contract.sent_at ? <DetailRow label="Sent">{formatMomentAlone(contract.sent_at)}</DetailRow> : null}
            {until ? <DetailRow label="Open until">{capitalized(formatDeadline(until.at))}</DetailRow> : null}
            {contract.signers.map((signer) => (
              <DetailRow key={signer.side} label={capitalized(signer.side)}>
                {signer.signed_at
                  ? `${capitalized(methodLabels[signer.method ?? ""] ?? "signed")} ${formatRelativeMoment(signer.signed_at)}`
                  : status === "canceled"
                    ? "Not signed"
                    : "Not signed yet"}
              </DetailRow>
            ))}
            {contract.signed_at ? <DetailRow label="Signed">{formatMomentAlone(contract.signed_at)}</DetailRow> : null}
          </dl>
          {contract.sent_at ? (
            <p className={styles.status}>
              <OpenContract
                id={contract.id}
                label={contract.status === "signed" ? "View signed contract" : "View contract"}
              />
              {signsBefore(booking) ? <ReadContract booking={booking} /> : null}
            </p>
          ) : null}
          {contract.status === "draft" && status !== "canceled" ? (
            <p className="small quiet">
              {booking.answer_due_at
                ? "Sent to both within 24 hours of the acceptance."
                : status === "initiated"
                  ? "Sent to both parties when the deposit is paid."
                  : "We send it to both parties soon."}
            </p>
          ) : null}
          <AttestedContract booking={booking} contract={contract} onChanged={onChanged} />
        </>
      )}
      <div className={`small ${styles.more}`}>
        {contract && booking.viewer === "admin" ? (
          <Link to={paths.admin.contract(contract.id)}>Evidence and files of this contract</Link>
        ) : null}
        {status === "initiated" && booking.money.fee_cents > 0 ? (
          <ContractText load={(api) => api.bookings.contract.templates.previewBooking({ id: booking.id })} />
        ) : null}
      </div>
    </section>
  );
}

type Holds = NonNullable<BookingResponse["holds"]>;

function HoldRows({ booking: { holds, viewer } }: Props) {
  if (!holds) return null;
  const { from, queue, night } = holds;
  return (
    <>
      {from ? (
        <DetailRow label="Hold">
          {describeHold(from)}
          {from.released_nights.length > 0 ? (
            <small>
              Released with it: {from.released_nights.map((day) => formatDay(day, { short: true })).join(", ")}
            </small>
          ) : null}
          {from.ended_others > 0 ? (
            <small>
              {from.ended_others === 1
                ? "1 hold of another promoter ended"
                : `${from.ended_others} holds of other promoters ended`}
            </small>
          ) : null}
        </DetailRow>
      ) : null}
      {queue.length > 0 ? (
        <DetailRow label={from ? "Also on hold" : "On hold"}>
          {queue.map((hold) => (
            <small key={hold.rank}>
              {hold.rank}. {hold.promoter_name}, until {formatDeadline(hold.until)}
            </small>
          ))}
          {viewer === "artist" ? (
            <small>
              <Link to={paths.artistArea.heldNight(night)}>View night</Link>
            </small>
          ) : null}
        </DetailRow>
      ) : null}
    </>
  );
}

const endings: Readonly<Record<Exclude<NonNullable<Holds["from"]>["state"], "active">, string>> = {
  booked: "booked",
  released: "released",
  expired: "expired",
  lost: "lost",
  superseded: "another booking has the night",
};

function describeHold({ rank, state, until }: NonNullable<Holds["from"]>): string {
  const name = rank === null ? "Hold" : `${rankName(rank)} hold`;
  const end = state === "active" ? `until ${formatDeadline(until)}` : endings[state];
  return `${capitalized(name)}, ${end}`;
}

/** Returns "+1 512 555 0100" for a number of North America. Others are returned as entered. */
const formatPhone = (phone: string): string => phone.replace(/^\+1\D?(\d{3})\D?(\d{3})\D?(\d{4})$/, "+1 $1 $2 $3");
