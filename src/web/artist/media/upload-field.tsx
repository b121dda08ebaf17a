import { useId, useState } from "react";
import type { UploadedPicture } from "#artists/media/api.ts";
import type { UploadKind } from "#artists/media.rules.ts";
import { uploadProblem } from "#platform/files/upload.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { uploadPicture } from "../../lib/upload/upload-picture.ts";
import { closeErrors } from "../../lib/toasts.ts";
import { toast } from "../../ui/toaster.tsx";
import { UploadStatus } from "../../ui/upload-status.tsx";
import upload from "../../ui/upload.module.css";

type Props = Readonly<{
  label: string;
  kind: UploadKind;
  most?: number;
  onUploaded(picture: UploadedPicture): void;
}>;

export function UploadField({ label, kind, most = 1, onUploaded }: Props) {
  const id = useId();
  const [sending, setSending] = useState<{ name: string; part: number }>();
  const [problem, setProblem] = useState<string>();

  const fail = (message: string) => {
    setProblem(message);
    toast({ tone: "error", title: "Error", text: `Failed to upload ${kind}. Please try again.` });
  };
  const send = async (file: File): Promise<boolean> => {
    const refused = uploadProblem(file);
    if (refused) {
      fail(`${file.name}: ${refused}`);
      return false;
    }
    setSending({ name: file.name, part: 0 });
    try {
      onUploaded(await uploadPicture(kind, file, (part) => setSending({ name: file.name, part })));
      return true;
    } catch (error) {
      fail(`${file.name}: ${apiErrorOf(error).message}`);
      return false;
    }
  };
  const sendAll = async (files: readonly File[]) => {
    setProblem(undefined);
    closeErrors();
    if (files.length > most) return fail(`At most ${most} more pictures fit in.`);
    let done = true;
    for (const file of files) done = (await send(file)) && done;
    setSending(undefined);
    if (done && files.length > 0)
      toast({
        title: `${kind === "photo" ? "Photo" : "Video"} uploaded successfully!`,
        text: "Save to show it on your page.",
      });
  };
  const described = [`${id}-hint`, problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className={`in ${upload.file}`}
        id={id}
        type="file"
        accept="image/*"
        multiple={most > 1}
        disabled={sending !== undefined || most < 1}
        aria-describedby={described}
        aria-invalid={problem ? true : undefined}
        onChange={(event) => {
          const input = event.currentTarget;
          // The same file can be chosen again after it was refused.
          void sendAll([...(input.files ?? [])]).finally(() => (input.value = ""));
        }}
      />
      <UploadStatus id={id} sending={sending} problem={problem} />
      <small id={`${id}-hint`}>max 5MB. JPEG, PNG, WebP or AVIF.</small>
    </div>
  );
}
