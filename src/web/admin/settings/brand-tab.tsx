import { TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { uploadProblem } from "#platform/files/upload.rules.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { legalPageNames } from "#settings/legal-pages.rules.ts";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { uploadFile } from "../../lib/upload/upload-file.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/fields/file-field.tsx";
import { UploadStatus } from "../../ui/fields/upload-status.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import type { PlatformForm } from "./settings-page.tsx";
import settings from "../../dashboard/settings/settings.module.css";
import styles from "./brand.module.css";

const isColour = (text: string) => /^#[\da-f]{6}$/i.test(text);

export function BrandTab({ form }: Readonly<{ form: PlatformForm }>) {
  const typed = form.textOf("primaryColor").trim();
  const colour = isColour(typed) ? typed.toLowerCase() : platformDefaults.primaryColor;
  const written = form.textOf("logoUrl").trim();
  const logo = written.startsWith("/storage/") || URL.canParse(written) ? written : "";
  return (
    <>
      <SettingsSection title="Primary colour" why="Buttons, links and the chosen day.">
        <div className={styles.pick}>
          <input
            type="color"
            aria-label="Pick the primary colour"
            value={colour}
            onChange={(event) => form.set("primaryColor", event.target.value)}
          />
          <TextInput
            label="Primary colour"
            spellCheck={false}
            maxLength={7}
            description="# and six hex digits. We darken or lighten it slightly if text would be hard to read."
            {...form.field("primaryColor")}
          />
        </div>
        {colour === platformDefaults.primaryColor ? null : (
          <div className={settings.row}>
            <Button tone="line" size="sm" onClick={() => form.set("primaryColor", platformDefaults.primaryColor)}>
              Back to {platformDefaults.primaryColor}
            </Button>
          </div>
        )}
      </SettingsSection>
      <SettingsSection title="Logo" why="Shown in the header and in emails. Use a wide picture on a plain background.">
        <LogoField form={form} shown={logo} />
      </SettingsSection>
      <SettingsSection
        title="Legal pages"
        why="Linked at the foot of every page and email. Leave empty what you do not need."
      >
        {(Object.keys(legalPageNames) as (keyof typeof legalPageNames)[]).map((name) => (
          <TextInput
            key={name}
            label={`${legalPageNames[name]} address`}
            type="url"
            placeholder="https://"
            maxLength={300}
            {...form.field(name)}
          />
        ))}
      </SettingsSection>
      <SettingsSection wide title="Preview" why="Changes as you choose. Visitors see it after you save.">
        <div className={settings.two}>
          <Trial title="Light" scheme="light" colour={colour} logo={logo} />
          <Trial title="Dark" scheme="dark" colour={colour} logo={logo} />
        </div>
      </SettingsSection>
    </>
  );
}

type TrialProps = Readonly<{ title: string; scheme: "light" | "dark"; colour: string; logo: string }>;

function Trial({ title, scheme, colour, logo }: TrialProps) {
  return (
    <figure>
      <figcaption className="small quiet">{title}</figcaption>
      <div
        className={styles.trial}
        style={{ "--brand": colour, colorScheme: scheme } as React.CSSProperties}
        aria-hidden
      >
        <div className={styles.head}>
          <span className={styles.name}>
            <Wordmark logo={logo} />
          </span>
          <span className={styles.link}>Browse Artists</span>
        </div>
        <p>Saturday 13 February is free.</p>
        <span className="btn">Book Me Now</span>
        <span className={styles.chosen}>13</span>
      </div>
    </figure>
  );
}

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
