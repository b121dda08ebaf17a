import { useState } from "react";
import { reviewTexts, reviewWindowDays } from "#reviews/rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { currentTime } from "../../lib/clock.ts";
import { useFormDraft } from "../../lib/form-draft.ts";
import { formatDeadline, formatLocalDayAndMonth } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { Star } from "../../ui/star.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { useTextForm } from "../use-text-form.ts";
import styles from "./reviews.module.css";

export type ReviewsResponse = Awaited<ReturnType<(typeof browserApi)["reviews"]["ofBooking"]>>;
export type BookingReview = ReviewsResponse["items"][number];

const api = async () => (await import("../../lib/api/browser-api.ts")).browserApi.reviews;

type Props = Readonly<{
  booking: Readonly<{ id: string; status: string; promoter_name: string; artist: { name: string } }>;
  reviews: ReviewsResponse;
  onChanged(): void;
  moderation?: Readonly<{ hide(review: BookingReview): void; unhide(review: BookingReview): Promise<void> }>;
}>;

export function ReviewSection({ booking, reviews, onChanged, moderation }: Props) {
  const { side, items } = reviews;
  const isNoShow = booking.status === "canceled";
  const other = side === "artist" ? booking.promoter_name : booking.artist.name;
  const own = items.find((review) => review.written_by === side);
  const send = async (review: { rating: number; body: string }) => {
    await (await api()).write({ id: booking.id, ...review });
    toast({
      title: "Review sent",
      text: isNoShow
        ? "It is published."
        : reviews.other_is_in
          ? "Both reviews can be read now."
          : "It is published when both are submitted.",
    });
    onChanged();
  };
  return (
    <div className={styles.section}>
      {items.map((review) => (
        <Review
          key={review.id}
          review={review}
          own={review.written_by === side}
          artistName={booking.artist.name}
          onChanged={onChanged}
          moderation={moderation}
        />
      ))}
      {own && !own.published && reviews.open_until ? (
        <p className="small quiet">
          Only you see it. It is published when {other} has written too, at the latest{" "}
          {formatDeadline(reviews.open_until)}.
        </p>
      ) : null}
      {reviews.can_write && reviews.open_until ? (
        <ReviewForm
          about={other}
          shownAs={reviews.shown_as ?? ""}
          openUntil={reviews.open_until}
          otherIsIn={reviews.other_is_in}
          isNoShow={isNoShow}
          draft={`review-form:${booking.id}:${side}`}
          send={send}
        />
      ) : null}
      {items.length === 0 && !reviews.can_write ? <p className="quiet">{describeNothing(reviews, isNoShow)}</p> : null}
    </div>
  );
}

const describeNothing = ({ side, open_until: until, other_is_in }: ReviewsResponse, isNoShow: boolean): string =>
  isNoShow
    ? `No review is published. After a no-show only the promoter can write one, for ${reviewWindowDays} days.`
    : side === null
      ? "No reviews are published. A review is visible only to its author until both are submitted or the review period ends."
      : until && new Date(until) > currentTime()
        ? "No review is published. The other party has deleted the account, so it can no longer be reviewed."
        : other_is_in
          ? "No review is published. An admin hid the review by the other party."
          : `No review was written in the ${reviewWindowDays} days after this show.`;

type ReviewProps = Readonly<{
  review: BookingReview;
  own: boolean;
  artistName: string;
  onChanged(): void;
  moderation: Props["moderation"];
}>;

function Review({ review, own, artistName, onChanged, moderation }: ReviewProps) {
  const [form, setForm] = useState<"reply" | "report">();
  const done = (title: string, text: string) => {
    toast({ title, text });
    setForm(undefined);
    onChanged();
  };
  const { can } = review;
  return (
    <article className={styles.review} data-own={own || undefined}>
      <h3>{own ? "Your review" : review.author_name}</h3>
      <span className="small quiet">
        {review.rating} of 5 <Star />, {formatLocalDayAndMonth(review.created_at)}
      </span>
      <p>{review.body}</p>
      {review.hidden ? <p className="small quiet">Hidden by an admin: {review.hidden.reason}</p> : null}
      {review.reported ? (
        <p className="small quiet">
          You reported this review. {review.reported === "open" ? "An admin decides." : "An admin decided to keep it."}
        </p>
      ) : null}
      {review.reply ? (
        <div className={styles.reply}>
          <h3>{artistName} replied</h3>
          <p>{review.reply.body}</p>
        </div>
      ) : null}
      {form === undefined ? (
        <div className={styles.actions}>
          {can.reply ? (
            <Button tone="line" size="sm" onClick={() => setForm("reply")}>
              Reply
            </Button>
          ) : null}
          {can.report ? (
            <Button tone="line" size="sm" onClick={() => setForm("report")}>
              Report
            </Button>
          ) : null}
          {can.hide && moderation ? (
            <Button tone="bad" size="sm" onClick={() => moderation.hide(review)}>
              Hide
            </Button>
          ) : null}
          {can.unhide && moderation ? (
            <Button tone="line" size="sm" onClick={() => moderation.unhide(review)}>
              Show again
            </Button>
          ) : null}
        </div>
      ) : form === "reply" ? (
        <TextForm
          name="reply"
          label="Your reply"
          hint="Everyone can read it below the review. You can reply once, and cannot change your reply."
          bounds={reviewTexts.reply}
          submit="Send reply"
          busyLabel="Sending..."
          send={async (body) => {
            await (await api()).reply({ id: review.id, body });
            done("Reply sent", "Shown with the review.");
          }}
          onCancel={() => setForm(undefined)}
        />
      ) : (
        <TextForm
          name="reason"
          label="What is wrong with it?"
          hint="The admins read your reason and decide. A low rating is not a reason to hide a review."
          bounds={reviewTexts.reason}
          submit="Report review"
          busyLabel="Reporting..."
          send={async (reason) => {
            await (await api()).report({ id: review.id, reason });
            done("Review reported", "An admin reviews it.");
          }}
          onCancel={() => setForm(undefined)}
        />
      )}
    </article>
  );
}

type ReviewFormProps = Readonly<{
  about: string;
  shownAs: string;
  openUntil: string;
  otherIsIn: boolean;
  isNoShow: boolean;
  draft: string;
  send(review: { rating: number; body: string }): Promise<unknown>;
}>;

function ReviewForm({ about, shownAs, openUntil, otherIsIn, isNoShow, draft, send }: ReviewFormProps) {
  const { props: stored, clear } = useFormDraft(draft);
  const [starError, setStarError] = useState<string>();
  const ratingOf = (data: FormData) => Number(data.get("rating") ?? 0);
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "body",
    min: reviewTexts.body.min,
    check: (data) => {
      const rating = ratingOf(data) > 0 ? undefined : "Choose one to five stars.";
      setStarError(rating);
      return rating ? { rating } : {};
    },
    send: async (body, data) => {
      await send({ rating: ratingOf(data), body });
      clear();
    },
  });
  return (
    <form className={styles.form} {...stored} onSubmit={onSubmit} noValidate>
      <p className="small quiet">
        {isNoShow
          ? `You can review ${about} until ${formatDeadline(openUntil)}. We publish your review when you send it.`
          : otherIsIn
            ? `${about} has already reviewed you. Send yours to read both.`
            : `We publish both reviews together: when both are submitted, at the latest ${formatDeadline(openUntil)}.`}
      </p>
      <fieldset className={styles.stars} aria-describedby={starError ? "rating-error" : undefined}>
        <legend>How was it with {about}?</legend>
        <div>
          {[1, 2, 3, 4, 5].map((stars) => (
            <label key={stars}>
              <input type="radio" name="rating" value={stars} />
              <Star />
              <span className="sr">{stars === 1 ? "1 star" : `${stars} stars`}</span>
            </label>
          ))}
        </div>
        {starError ? (
          <small id="rating-error" className={styles.error}>
            {starError}
          </small>
        ) : null}
      </fieldset>
      <TextArea
        label="Your review"
        name="body"
        hint={`Shown as ${shownAs}. It cannot be changed afterwards.`}
        rows={4}
        maxLength={reviewTexts.body.max}
        error={fieldError}
      />
      <ErrorNote message={error} className={styles.error} />
      <div>
        <Button type="submit" busy={busy} busyLabel="Sending...">
          Send review
        </Button>
      </div>
    </form>
  );
}

type TextFormProps = Readonly<{
  name: string;
  label: string;
  hint: string;
  bounds: Readonly<{ min: number; max: number }>;
  submit: string;
  busyLabel: string;
  send(text: string): Promise<unknown>;
  onCancel(): void;
}>;

/** Plain elements, because guests use it on a public page. */
export function TextForm({ bounds, submit, busyLabel, send, onCancel, ...field }: TextFormProps) {
  const { busy, error, fieldError, onSubmit } = useTextForm({ name: field.name, min: bounds.min, send });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <TextArea {...field} rows={3} maxLength={bounds.max} autoFocus error={fieldError} />
      <ErrorNote message={error} className={styles.error} />
      <div className={styles.actions}>
        <Button type="submit" size="sm" busy={busy} busyLabel={busyLabel}>
          {submit}
        </Button>
        <Button tone="line" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
