import { TextInput } from "@mantine/core";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { legalPageNames } from "#settings/legal-pages.rules.ts";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { Button } from "../../ui/button.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { LogoField } from "./logo-field.tsx";
import type { PlatformForm } from "./settings-page.tsx";
import settings from "../../dashboard/settings/settings.module.css";
import styles from "./brand.module.css";

const isColour = (text: string) => /^#[\da-f]{6}$/i.test(text);

export function BrandTab({ form }: Readonly<{ form: PlatformForm }>) {
  const typed = form.textOf("primaryColor").trim();
  const colour = isColour(typed) ? typed.toLowerCase() : platformDefaults.primaryColor;
  const written = form.textOf("logoUrl").trim();
  // Ignores an address that is still incomplete.
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
