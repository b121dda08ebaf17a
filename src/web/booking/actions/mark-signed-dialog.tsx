import { Textarea } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { signedDocumentProblem } from "#contracts/rules.ts";
import { openForm, DialogForm, useApiForm } from "../../dashboard/forms/api-form.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type StoredSignedDocument, uploadSignedDocument } from "../../lib/api/admin/contracts.ts";
import { useMarkSigned } from "../../lib/api/booking-page.ts";
import { formatBytes } from "../../lib/format/bytes.ts";
import { FileField } from "../../ui/fields/file-field.tsx";
import dialog from "../../dashboard/dialogs/dialog.module.css";

const minReasonLength = 20;

type MarkedContract = Readonly<{ id: string; number: string; artist: string; promoter: string }>;

export const openMarkSigned = (contract: MarkedContract): void =>
  openForm("Mark this contract as signed", (onClose) => <MarkSignedForm contract={contract} onClose={onClose} />, {
    size: "36rem",
  });

function MarkSignedForm({ contract, onClose }: Readonly<{ contract: MarkedContract; onClose(): void }>) {
  const markSigned = useMarkSigned();
  const [uploaded, setUploaded] = useState<StoredSignedDocument>();
  const [problem, setProblem] = useState<string>();
  const [uploading, setUploading] = useState(false);
  const form = useApiForm({
    initialValues: { reason: "", paper: "" },
    fallback: "reason",
    validate: {
      reason: (reason) =>
        reason.length < minReasonLength ? `Enter a reason of at least ${minReasonLength} characters.` : undefined,
      paper: (sha256) => (sha256 ? undefined : (problem ?? "Choose the signed document.")),
    },
    send: ({ reason, paper: sha256 }) => markSigned.mutateAsync({ id: contract.id, reason, paper: sha256 }),
    done: { title: "Marked as signed", text: "Both parties are notified, with your reason." },
    onClose,
  });
  const latest = useRef<File>(undefined);
  const choose = async (file: File | undefined) => {
    latest.current = file;
    setUploading(false);
    form.setValue("paper", "");
    setUploaded(undefined);
    const rejected = file && signedDocumentProblem(file);
    setProblem(rejected);
    if (!file) return;
    if (rejected) return form.setFieldError("paper", rejected);
    setUploading(true);
    try {
      const stored = await uploadSignedDocument(contract.id, file);
      // Another file may have been chosen since, and its upload may end first.
      if (latest.current !== file) return;
      setUploaded(stored);
      form.setValue("paper", stored.sha256);
    } catch (error) {
      if (latest.current !== file) return;
      form.setFieldError("paper", apiErrorOf(error).message);
    }
    setUploading(false);
  };
  const { error, "data-path": path } = form.field("paper") as { error?: ReactNode; "data-path"?: string };
  return (
    <>
      <p className={dialog.text}>
        <strong>{contract.artist}</strong> and <strong>{contract.promoter}</strong>,{" "}
        <span className={dialog.whole}>{contract.number}</span>. You confirm that everyone who has not signed here has
        signed on paper. We add your name, the reason and the document to the evidence, and email the reason to both
        parties. They can object within 72 hours. The booking becomes contract signed.
      </p>
      <DialogForm
        form={form}
        submit="Mark Signed"
        busyLabel={uploading ? "Uploading..." : "Marking..."}
        busy={uploading}
        onClose={onClose}
      >
        <Textarea
          label="Where and how was it signed?"
          description={`At least ${minReasonLength} characters. Both parties can read it.`}
          rows={3}
          maxLength={1000}
          required
          data-autofocus
          {...form.field("reason")}
        />
        <FileField
          label="Signed document"
          name="paper"
          data-path={path}
          accept="application/pdf,image/jpeg,image/png"
          aria-busy={uploading || undefined}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
          error={typeof error === "string" ? error : undefined}
          hint={
            <span role="status">
              {uploading
                ? "Uploading..."
                : uploaded
                  ? `${uploaded.pages} ${uploaded.pages === 1 ? "page" : "pages"}, ${formatBytes(uploaded.bytes)}, checked.`
                  : "PDF, JPEG or PNG, up to 10 MB. It is stored with the contract and cannot be replaced later."}
            </span>
          }
        />
      </DialogForm>
    </>
  );
}
