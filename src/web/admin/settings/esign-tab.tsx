import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import {
  type EsignProvider,
  esignProviderNames,
  esignProviders,
  type KeyedService,
  keyedServices,
} from "#settings/choices.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { SwitchRow, SectionsLoading, SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { TestResult } from "../../dashboard/settings/test-result.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useTemplates } from "../../lib/api/admin/contracts.ts";
import { useEsignState, useSaveEsignKey, useTestEsign } from "../../lib/api/settings.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import type { PlatformForm, Stored } from "./settings-page.tsx";
import styles from "../../dashboard/settings/settings.module.css";

type State = NonNullable<ReturnType<typeof useEsignState>["data"]>;

export function EsignTab({ form, stored }: Readonly<{ form: PlatformForm; stored: Stored }>) {
  const check = useTestEsign();
  const service = useEsignState();
  const state = service.data;
  // Follows the form, saved or not, because a key is stored and tested before its service is chosen.
  const chosen = form.textOf("esignProvider");
  const shown = state?.fixed ? state.provider : (esignProviders.find((name) => name === chosen) ?? "embedded");
  const keyed = keyedServices.find((name) => name === shown);
  // Renders all sections together to avoid a layout shift.
  if (!state && !service.error) return <SectionsLoading what="the signing service" fields={[1, 2, 1, 2]} />;
  return (
    <>
      <SettingsSection title="Provider" why="The service that presents the contract and stores the proof of signing.">
        {state ? <Provider form={form} state={state} /> : <SectionFailed what="The provider" query={service} />}
      </SettingsSection>
      <SettingsSection
        title="Contract template"
        why="The agreement for new contracts. Contracts that are already sent do not change."
      >
        <TemplateChoice field={form.field("defaultTemplateId")} stored={stored.values.defaultTemplateId} />
      </SettingsSection>
      <SettingsSection
        title="Code before signing"
        why="A second proof that the signer controls the mailbox or phone. It applies to built-in signing."
      >
        <SwitchRow
          label="Require a one-time code before a signature"
          description="6 digits, sent by email, or by SMS if the party has chosen SMS. The evidence and the certificate record it."
          {...form.switchField("requireSigningCode")}
        />
      </SettingsSection>
      <SettingsSection
        title="Access"
        why="Each service has its own key. We store it encrypted and never show it again. For DocuSign, enter the integration key."
      >
        {service.data?.key_from_environment ? (
          <p>The key comes from ESIGN_API_KEY in the server's environment.</p>
        ) : keyed ? (
          <ApiKey key={keyed} service={keyed} stored={stored} />
        ) : (
          <TextInput label="API Key" type="password" disabled description="Built-in signing needs no key." />
        )}
        <div className={styles.row}>
          <Button
            tone="line"
            busy={check.isPending}
            busyLabel="Testing..."
            onClick={() => check.mutate({ service: shown })}
          >
            Test API Connection
          </Button>
        </div>
        <p className="small quiet">
          Tests {shown === "embedded" ? "built-in signing" : esignProviderNames[shown]}, the provider chosen above.
        </p>
        <TestResult result={check.data} error={check.error} />
      </SettingsSection>
    </>
  );
}

const optionsFor = (available: readonly EsignProvider[]) =>
  esignProviders.map((value) => ({
    value,
    label: available.includes(value) ? esignProviderNames[value] : `${esignProviderNames[value]}, not set up`,
    disabled: !available.includes(value),
  }));

function Provider({ form, state }: Readonly<{ form: PlatformForm; state: State }>) {
  if (state.fixed)
    return (
      <dl className={styles.details}>
        <DetailRow label="Provider">
          {state.provider_name}, chosen by ESIGN_PROVIDER in the server's environment
        </DetailRow>
      </dl>
    );
  return (
    <>
      <NativeSelect
        label="Provider"
        description="For new contracts. Contracts that are already sent are not affected."
        data={optionsFor(state.available)}
        {...form.field("esignProvider")}
      />
      {state.available.includes("docusign") ? null : (
        <p className="small quiet">
          DocuSign needs ESIGN_ACCOUNT_ID, ESIGN_USER_ID and ESIGN_PRIVATE_KEY in the server's environment.
        </p>
      )}
      {state.outside && !state.has_secret ? (
        <p className="note gold">
          <strong>Webhooks are not set up.</strong> Without ESIGN_WEBHOOK_SECRET the server checks open contracts every
          ten minutes instead of receiving events immediately.
        </p>
      ) : null}
    </>
  );
}

function keyError(error: unknown): string | undefined {
  if (!error) return undefined;
  const { message, fields } = apiErrorOf(error);
  return fields["api_key"] ?? message;
}

function ApiKey({ service, stored }: Readonly<{ service: KeyedService; stored: Stored }>) {
  const save = useSaveEsignKey();
  const [typed, setTyped] = useState<string>();
  const { stored: has, ending } = stored.esign_keys[service];
  const name = esignProviderNames[service];
  const store = async (key: string) => {
    try {
      await save.mutateAsync({ service, api_key: key });
      setTyped(undefined);
      toast({ title: "Success", text: key ? "The key is stored." : "The key is removed." });
    } catch {
      toast({ tone: "error", title: "Error", text: "Failed to save settings. Please try again." });
    }
  };
  const openRemoval = () =>
    openConfirmation({
      title: `Remove the API key of ${name}?`,
      text: `Until you store a key again, we cannot send contracts to ${name} or receive signed ones from there. A removed key cannot be restored.`,
      confirm: "Remove key",
      busy: "Removing...",
      cancel: "Keep it",
      danger: true,
      onConfirm: () => store(""),
    });
  if (has && typed === undefined)
    return (
      <>
        <TextInput
          label="API Key"
          type="password"
          value="................................"
          readOnly
          autoComplete="off"
          description={ending ? `${name}: ends in ${ending}.` : `${name}: a key is stored.`}
        />
        <div className={styles.row}>
          <Button tone="line" onClick={() => setTyped("")}>
            Replace
          </Button>
          <Button tone="bad" onClick={openRemoval}>
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
        description={`For ${name}.`}
        maxLength={500}
        value={typed ?? ""}
        error={keyError(save.error)}
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
            Keep the current key
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** The template that ships. An installation without a choice has none stored. */
const shipped = "standard";

function TemplateChoice({ field, stored }: Readonly<{ field: ReturnType<PlatformForm["field"]>; stored: string }>) {
  const query = useTemplates();
  const { data } = query;
  if (query.error && !query.isFetching && !data) return <SectionFailed what="The templates" query={query} />;
  const options = (data?.items ?? []).map(({ id, title, version }) => ({
    value: id === shipped && stored !== shipped ? "" : id,
    label: `${title} (${id}, version ${version})`,
  }));
  return (
    <>
      <NativeSelect
        label="Default Contract Template ID"
        description="New contracts use the newest version of this template."
        data={options}
        disabled={!data}
        {...field}
      />
      <div className={styles.row}>
        <LinkButton tone="line" to={paths.admin.contractTemplates}>
          Edit templates
        </LinkButton>
      </div>
    </>
  );
}
