import { Textarea } from "@mantine/core";
import { reviewTexts } from "#reviews/rules.ts";
import { openDialog, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { useHideReview } from "../../lib/api/reviews.ts";
import { lengthMessage } from "../../lib/form-validation.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";

type Props = Readonly<{ review: { id: string; author_name: string } }>;

export const openHideReviewDialog = ({ review }: Props): void =>
  openDialog("Hide this review", (onClose) => <HideForm review={review} onClose={onClose} />, {
    size: "36rem",
    closeOnClickOutside: false,
  });

function HideForm({ review, onClose }: Props & Readonly<{ onClose(): void }>) {
  const hide = useHideReview();
  const { min, max } = reviewTexts.reason;
  const form = useApiForm({
    initialValues: { reason: "" },
    validate: {
      reason: (reason) => lengthMessage(reason.trim(), min, `Enter the reason. ${review.author_name} will read it.`),
    },
    send: ({ reason }) => hide.mutateAsync({ id: review.id, reason }),
    done: {
      title: "Review hidden",
      text: "It is no longer included in the rating. Your reason is stored in the log.",
    },
    onClose,
  });
  return (
    <>
      <p className={dialog.text}>
        The review by <strong>{review.author_name}</strong> is removed from the public page and the rating. You can show
        it again.
      </p>
      <DialogForm form={form} submit="Hide review" busyLabel="Hiding..." tone="danger" onClose={onClose}>
        <Textarea
          label="Reason"
          rows={3}
          maxLength={max}
          required
          data-autofocus
          description={`${review.author_name} sees it in the booking. It is stored in the log.`}
          {...form.field("reason")}
        />
      </DialogForm>
    </>
  );
}
