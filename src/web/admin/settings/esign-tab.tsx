/** Who presents the contract, the key of the signing service, and the test. The key is never sent back by the server. */
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import styles from "../../dashboard/settings/settings.module.css";
import { TestResult } from "../../dashboard/settings/test-result.tsx";
import { apiErrorOf } from "../../lib/api/api-error.ts";
import { useSaveEsignKey, useTestEsign } from "../../lib/api/settings.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";
import { TemplateChoice } from "../templates/template-choice.tsx";
import type { PlatformForm, Stored } from "./settings-page.tsx";

export function EsignTab({ form, stored }: Readonly<{ form: PlatformForm; stored: Stored }>) {
  const check = useTestEsign();
  return (
    <>
      <SettingsSection title="Provider" why="Who presents the contract and keeps the proof of signing.">
        <dl className={styles.facts}>
          <div>
            <dt>Provider</dt>
            <dd>Built-in signing, on this server</dd>
          </div>
        </dl>
      </SettingsSection>
      <SettingsSection
        title="Contract template"
        why="Which agreement the next contract is made from. Contracts that were sent keep theirs."
      >
        <TemplateChoice field={form.field("defaultTemplateId")} stored={stored.values.defaultTemplateId} />
      </SettingsSection>
      <SettingsSection
        title="Access"
        why="A key is stored encrypted and never shown again. Built-in signing needs none."
      >
        <ApiKey stored={stored} />
        <div className={styles.row}>
          <Button tone="line" busy={check.isPending} busyLabel="Testing..." onClick={() => check.mutate({})}>
            Test API Connection
          </Button>
        </div>
        <TestResult result={check.data} error={check.error} />
      </SettingsSection>
    </>
  );
}

function ApiKey({ stored }: Readonly<{ stored: Stored }>) {
  const save = useSaveEsignKey();
  const [typed, setTyped] = useState<string>();
  const { stored: has, ending } = stored.esign_key;
  const store = async (key: string) => {
    try {
      await save.mutateAsync({ api_key: key });
      setTyped(undefined);
      toast({ title: "Success", text: key ? "The key is stored." : "The key is removed." });
    } catch {
      toast({ tone: "error", title: "Error", text: "Failed to save settings. Please try again." });
    }
  };
  if (has && typed === undefined)
    return (
      <>
        <TextInput
          label="API Key"
          type="password"
          value="................................"
          readOnly
          autoComplete="off"
          description={ending ? `Ends in ${ending}.` : "A key is stored."}
        />
        <div className={styles.row}>
          <Button tone="line" onClick={() => setTyped("")}>
            Replace
          </Button>
          <Button tone="bad" busy={save.isPending} busyLabel="Removing..." onClick={() => void store("")}>
            Remove
          </Button>
        </div>
      </>
    );
  return (
    <>
      <TextInput
        label="API Key"
        type="password"
        autoComplete="off"
        maxLength={500}
        value={typed ?? ""}
        error={save.error ? apiErrorOf(save.error).message : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.row}>
        <Button
          tone="line"
          disabled={!typed?.trim()}
          busy={save.isPending}
          busyLabel="Saving..."
          onClick={() => void store(typed?.trim() ?? "")}
        >
          Save Key
        </Button>
        {has ? (
          <Button tone="line" onClick={() => setTyped(undefined)}>
            Keep the old one
          </Button>
        ) : null}
      </div>
    </>
  );
}
