import { reviewTexts } from "#reviews/rules.ts";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { useHideReview, useUnhideReview } from "../../lib/api/reviews.ts";
import { attempt } from "../../lib/attempt.ts";

type Review = Readonly<{ id: string; author_name: string }>;

export function useReviewModeration() {
  const hideReview = useHideReview();
  const unhideReview = useUnhideReview();
  const hide = ({ id, author_name: author }: Review) =>
    openTextDialog({
      title: "Hide this review",
      size: "36rem",
      text: (
        <>
          The review by <strong>{author}</strong> is removed from the public page and the rating. You can show it again.
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
        text: "It is no longer included in the rating. Your reason is stored in the log.",
      },
    });
  const unhide = ({ id }: Review) =>
    attempt(() => unhideReview.mutateAsync({ id }), {
      title: "Review shown again",
      text: "It is public and included in the rating.",
    });
  return { hide, unhide };
}
