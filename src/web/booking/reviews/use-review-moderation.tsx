import { type ReviewSide, reviewTexts } from "#reviews/rules.ts";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { useHideReview, useUnhideReview } from "../../lib/api/reviews.ts";
import { attempt } from "../../lib/attempt.ts";

type Review = Readonly<{ id: string; author_name: string; written_by: ReviewSide }>;

/** A review by the promoter is public. One by the artist is shown only on the booking. */
const texts = {
  promoter: {
    hide: "is removed from the public page and the rating.",
    hidden: "It is no longer included in the rating.",
    shown: "It is public and included in the rating.",
  },
  artist: {
    hide: "is removed from the promoter's page of the booking.",
    hidden: "The promoter no longer sees it.",
    shown: "The promoter sees it again.",
  },
} as const;

export function useReviewModeration() {
  const hideReview = useHideReview();
  const unhideReview = useUnhideReview();
  const hide = ({ id, author_name: author, written_by: side }: Review) =>
    openTextDialog({
      title: "Hide this review",
      size: "36rem",
      text: (
        <>
          The review by <strong>{author}</strong> {texts[side].hide} You can show it again.
        </>
      ),
      name: "reason",
      label: "Reason",
      description: `${author} sees it in the booking. It is stored in the log.`,
      bounds: reviewTexts.reason,
      missing: `Enter the reason. ${author} will read it.`,
      confirm: "Hide review",
      busy: "Hiding...",
      tone: "danger",
      send: (reason) => hideReview.mutateAsync({ id, reason }),
      done: {
        title: "Review hidden",
        text: `${texts[side].hidden} Your reason is stored in the log.`,
      },
    });
  const unhide = ({ id, written_by: side }: Review) =>
    attempt(() => unhideReview.mutateAsync({ id }), {
      title: "Review shown again",
      text: texts[side].shown,
    });
  return { hide, unhide };
}
