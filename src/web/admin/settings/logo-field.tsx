import { TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { uploadProblem } from "#platform/files/upload.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { uploadFile } from "../../lib/upload/upload-file.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/fields/file-field.tsx";
import { UploadStatus } from "../../ui/fields/upload-status.tsx";
import type { PlatformForm } from "./settings-page.tsx";

/** `shown`: the address of the logo, empty while it is incomplete. */
export function LogoField({ form, shown }: Readonly<{ form: PlatformForm; shown: string }>) {
  const id = useId();
  const [sending, setSending] = useState<{ name: string; part: number }>();
  const [problem, setProblem] = useState<string>();
  const [broken, setBroken] = useState("");
  const logo = form.textOf("logoUrl").trim();
  const send = async (file: File) => {
    setProblem(undefined);
    closeErrors();
    const refused = uploadProblem(file);
    if (refused) return setProblem(`${file.name}: ${refused}`);
    setSending({ name: file.name, part: 0 });
    try {
      const { url } = await uploadFile<{ url: string }>("/api/admin/settings/logo", file, (part) =>
        setSending({ name: file.name, part }),
      );
      form.set("logoUrl", url);
      toast({ title: "Logo uploaded", text: "Save to publish it." });
    } catch (error) {
      setProblem(`${file.name}: ${apiErrorOf(error).message}`);
    }
    setSending(undefined);
  };
  const described = [`${id}-hint`, problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return (
    <>
      <div>
        <FileField
          label="Upload a logo"
          name={id}
          hint="max 5MB. PNG, JPEG, WebP or AVIF. Shown beside the name."
          accept="image/png,image/jpeg,image/webp,image/avif"
          disabled={sending !== undefined}
          aria-describedby={described}
          aria-invalid={problem ? true : undefined}
          onChange={(event) => {
            const input = event.currentTarget;
            const file = input.files?.[0];
            // Resets the input, to allow a retry with the same file.
            if (file) void send(file).finally(() => (input.value = ""));
          }}
        />
        <UploadStatus id={id} sending={sending} problems={problem ? [problem] : []} />
      </div>
      <TextInput
        label="Logo URL (optional)"
        maxLength={500}
        placeholder="https://"
        description="An upload fills this in. Leave empty for the Stagedoor mark."
        {...form.field("logoUrl")}
      />
      {shown === "" ? null : <img key={shown} src={shown} alt="" hidden onError={() => setBroken(shown)} />}
      {shown !== "" && broken === shown ? (
        <p className="note gold" role="alert">
          We could not load this picture, so visitors would not see it. Check the address, or upload the picture.
        </p>
      ) : null}
      {logo === "" ? null : (
        <div>
          <Button tone="line" size="sm" onClick={() => form.set("logoUrl", "")}>
            Back to the Stagedoor mark
          </Button>
        </div>
      )}
    </>
  );
}
