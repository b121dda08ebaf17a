import { useState } from "react";
import { reviewTexts } from "#reviews/rules.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Star } from "../../ui/star.tsx";
import styles from "./reviews.module.css";
import { useTextForm } from "./text-form.tsx";

type Props = Readonly<{
  about: string;
  shownAs: string;
  openUntil: string;
  otherIsIn: boolean;
  send(review: { rating: number; body: string }): Promise<unknown>;
}>;

export function ReviewForm({ about, shownAs, openUntil, otherIsIn, send }: Props) {
  const [starError, setStarError] = useState<string>();
  const ratingOf = (data: FormData) => Number(data.get("rating") ?? 0);
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "body",
    label: "Review",
    bounds: reviewTexts.body,
    check: (data) => {
      setStarError(ratingOf(data) > 0 ? undefined : "Choose one to five stars.");
      return ratingOf(data) > 0;
    },
    send: (body, data) => send({ rating: ratingOf(data), body }),
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p className="small quiet">
        {otherIsIn
          ? `${about} has already reviewed you. Send yours to read both.`
          : `We publish both reviews together: when both are in, at the latest ${formatDeadline(openUntil)}.`}
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
      {error ? (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      ) : null}
      <div>
        <Button type="submit" busy={busy} busyLabel="Sending...">
          Send review
        </Button>
      </div>
    </form>
  );
}
