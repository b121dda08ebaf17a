import { useId, useState } from "react";
import type { UploadKind } from "#artists/media.rules.ts";
import type { UploadedPicture } from "#artists/media/api.ts";
import { uploadProblem } from "#platform/files/upload.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { uploadPicture } from "../../lib/upload/upload-picture.ts";
import { UploadStatus } from "../../ui/fields/upload-status.tsx";
import { DropField } from "./drop-field.tsx";

type Props = Readonly<{
  label: string;
  kind: UploadKind;
  max?: number;
  onUploaded(picture: UploadedPicture): void;
}>;

export function UploadField({ label, kind, max = 1, onUploaded }: Props) {
  const id = useId();
  const [sending, setSending] = useState<{ name: string; part: number }>();
  const [problems, setProblems] = useState<readonly string[]>([]);

  const addProblem = (problem: string) => setProblems((before) => [...before, problem]);
  const showFailure = (file: File, problem: string): false => {
    addProblem(`${file.name}: ${problem}`);
    toast({ tone: "error", title: "Error", text: `Failed to upload ${kind}. Please try again.` });
    return false;
  };
  const send = async (file: File): Promise<boolean> => {
    const refused = uploadProblem(file);
    if (refused) return showFailure(file, refused);
    setSending({ name: file.name, part: 0 });
    try {
      onUploaded(await uploadPicture(kind, file, (part) => setSending({ name: file.name, part })));
      return true;
    } catch (error) {
      return showFailure(file, apiErrorOf(error).message);
    }
  };
  const sendAll = async (files: readonly File[]) => {
    setProblems([]);
    closeErrors();
    if (files.length > max) {
      return addProblem(max === 1 ? "Choose one picture." : `At most ${max} more pictures fit in.`);
    }
    let done = true;
    for (const file of files) done = (await send(file)) && done;
    setSending(undefined);
    if (done && files.length > 0)
      toast({
        title: `${kind === "photo" ? "Photo" : "Video"} uploaded successfully!`,
        text: "Save to show it on your page.",
      });
  };
  return (
    <DropField
      label={label}
      hint="max 5MB. JPEG, PNG, WebP or AVIF."
      accept="image/*"
      multiple={max > 1}
      disabled={sending !== undefined || max < 1}
      invalid={problems.length > 0}
      describedBy={problems.length > 0 ? `${id}-problem` : undefined}
      onFiles={(files) => void sendAll(files)}
    >
      <UploadStatus id={id} sending={sending} problems={problems} />
    </DropField>
  );
}
