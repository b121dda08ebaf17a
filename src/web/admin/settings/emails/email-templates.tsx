import { useSearchParams } from "react-router";
import { emailCatalog } from "#notifications/custom/rules.ts";
import { Loaded } from "../../../dashboard/section-failed.tsx";
import { SettingsSection, SettingsSheet } from "../../../dashboard/settings/settings-sheet.tsx";
import { Switch } from "../../../dashboard/switch.tsx";
import { attempt } from "../../../lib/attempt.ts";
import { Button } from "../../../ui/button.tsx";
import { EmailEditor } from "./email-editor.tsx";
import { type EmailTemplate, useEmailTemplates, useSwitchEmail } from "./email-queries.ts";
import styles from "./emails.module.css";

export function EmailTemplates() {
  const emails = useEmailTemplates();
  // The open template is part of the address, so another one is a page change that confirms unsaved changes.
  const [search, setSearch] = useSearchParams();
  const open = search.get("email");
  const edited = emails.data?.items.find(({ template }) => template === open);
  const toggle = (template: string) => {
    const next = new URLSearchParams(search);
    if (template === open) next.delete("email");
    else next.set("email", template);
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <div className={styles.emails}>
      <SettingsSheet>
        <SettingsSection
          wide
          title="Email Templates"
          why="You can change the texts of these emails. The texts of all other emails and of SMS are fixed."
        >
          <Loaded query={emails} what="The email templates">
            {({ items }) => (
              <ul className={styles.list}>
                {items.map((email) => (
                  <Row
                    key={email.template}
                    email={email}
                    open={email.template === open}
                    onToggle={() => toggle(email.template)}
                  />
                ))}
              </ul>
            )}
          </Loaded>
        </SettingsSection>
      </SettingsSheet>
      {edited ? <EmailEditor key={edited.template} email={edited} /> : null}
    </div>
  );
}

function Row({ email, open, onToggle }: Readonly<{ email: EmailTemplate; open: boolean; onToggle(): void }>) {
  const { title, when, required } = emailCatalog[email.template];
  const change = useSwitchEmail();
  const { template, active, version } = email;
  const flip = () => attempt(() => change.mutateAsync({ template, version, active: !active }));
  return (
    <li>
      <span className={styles.name}>
        <strong>{title}</strong>
        <small id={`${template}-why`}>
          {when}
          {required ? `. Always sent. ${required}` : ""}
        </small>
      </span>
      <span className={`badge ${active ? "green" : ""}`} data-done={active ? 100 : 0}>
        {active ? "Active" : "Inactive"}
      </span>
      <Switch
        label={`Send ${title}`}
        describedBy={`${template}-why`}
        checked={active}
        disabled={required !== undefined}
        busy={change.isPending}
        onChange={() => void flip()}
      />
      <Button
        tone="line"
        size="sm"
        aria-label={`Edit ${title}`}
        aria-expanded={open}
        aria-controls={open ? "email-editor" : undefined}
        onClick={onToggle}
      >
        Edit
      </Button>
    </li>
  );
}
