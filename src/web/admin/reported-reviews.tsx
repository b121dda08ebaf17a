import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { useReviewModeration } from "../booking/reviews/use-review-moderation.tsx";
import { Decision } from "../dashboard/decision.tsx";
import { LoadMore } from "../dashboard/lists/list-states.tsx";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import { type ModeratedReview, useHiddenReviews, useKeepReview, useReportedReviews } from "../lib/api/reviews.ts";
import { attempt } from "../lib/attempt.ts";
import { formatLocalDayAndMonth } from "../lib/format/dates.ts";
import { Star } from "../ui/star.tsx";
import overview from "../dashboard/overview.module.css";

export function ReportedReviews() {
  const reported = useReportedReviews();
  const hidden = useHiddenReviews();
  const failed = [reported, hidden].find((query) => query.error && !query.data);
  if (failed) return <SectionFailed className={overview.above} what="Reported reviews" query={failed} />;
  const waiting = reported.data?.items ?? [];
  const hiddenReviews = hidden.data?.items ?? [];
  if (waiting.length === 0 && hiddenReviews.length === 0) return null;
  return (
    <section className={`${overview.section} ${overview.above}`}>
      <h2>{waiting.length > 0 ? "Reported reviews" : "Hidden reviews"}</h2>
      <ul className={overview.lines}>
        {waiting.map((review, at) => (
          <Report key={review.id} review={review} primary={at === 0} />
        ))}
      </ul>
      {reported.hasNextPage ? <LoadMore query={reported} count={waiting.length} /> : null}
      {hidden.data && hiddenReviews.length > 0 ? (
        <HiddenReviews {...hidden.data}>
          {hidden.hasNextPage ? <LoadMore query={hidden} count={hiddenReviews.length} /> : null}
        </HiddenReviews>
      ) : null}
    </section>
  );
}

const aboutOf = (review: ModeratedReview) =>
  review.written_by === "promoter" ? review.artist_name : review.promoter_name;

function ReviewText({ review }: Readonly<{ review: ModeratedReview }>) {
  return (
    <>
      <strong>
        {review.author_name} about{" "}
        {review.written_by === "promoter" ? (
          <Link to={paths.admin.artist(review.artist_id)}>{review.artist_name}</Link>
        ) : (
          review.promoter_name
        )}
      </strong>
      <small>
        {review.booking_number}, {review.rating} of 5 <Star />, written {formatLocalDayAndMonth(review.created_at)}
      </small>
      <span className={`small ${overview.evidence}`}>{review.body}</span>
    </>
  );
}

function Report({ review, primary }: Readonly<{ review: ModeratedReview; primary: boolean }>) {
  const keep = useKeepReview();
  const { hide } = useReviewModeration();
  const keepIt = () =>
    attempt(() => keep.mutateAsync({ id: review.id }), {
      title: "Review kept",
      text: `The report about ${review.author_name}'s review is closed.`,
    });
  return (
    <Decision
      primary={primary}
      actions={[
        { label: "Hide", name: `Hide the review by ${review.author_name}`, run: () => hide(review) },
        { label: "Keep", name: `Keep the review by ${review.author_name}`, run: keepIt },
      ]}
    >
      <ReviewText review={review} />
      {review.report ? (
        <small>
          Reported {formatLocalDayAndMonth(review.report.created_at)} by {aboutOf(review)}: {review.report.reason}
        </small>
      ) : null}
    </Decision>
  );
}

type HiddenProps = Readonly<{ items: readonly ModeratedReview[]; total: number; children: ReactNode }>;

function HiddenReviews({ items, total, children }: HiddenProps) {
  const { unhide } = useReviewModeration();
  return (
    <details className={overview.foot}>
      <summary>{total === 1 ? "1 review is hidden" : `${total.toLocaleString("en-US")} reviews are hidden`}</summary>
      <ul className={`${overview.lines} ${overview.foot}`} aria-label="Hidden reviews">
        {items.map((review) => (
          <Decision
            key={review.id}
            actions={[
              {
                label: "Show again",
                name: `Show the review by ${review.author_name} again`,
                run: () => unhide(review),
              },
            ]}
          >
            <ReviewText review={review} />
            <small>Hidden: {review.hidden?.reason}</small>
          </Decision>
        ))}
      </ul>
      {children}
    </details>
  );
}
