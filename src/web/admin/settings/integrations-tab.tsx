/** The webhook of the card provider: its address, when it was last heard, and a test. */
import { TextInput } from "@mantine/core";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import settings from "../../dashboard/settings/settings.module.css";
import { TestResult } from "../../dashboard/settings/test-result.tsx";
import { usePaymentWebhook, useTestPaymentWebhook } from "../../lib/api/settings.ts";
import { formatShortDate, localMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";

export function IntegrationsTab() {
  const webhook = usePaymentWebhook();
  return (
    <SettingsSection wide title="Card payments" why="Shown Active once a verified delivery has arrived.">
      {webhook.data ? (
        <Webhook state={webhook.data} />
      ) : webhook.error && !webhook.isFetching ? (
        <SectionFailed what="The webhook" error={webhook.error} onRetry={() => void webhook.refetch()} />
      ) : (
        <p className="quiet" role="status">
          Loading
        </p>
      )}
    </SettingsSection>
  );
}

type State = NonNullable<ReturnType<typeof usePaymentWebhook>["data"]>;

function statusOf({ provider, has_secret, last_verified }: State): { tone: string; text: string; done: number } {
  if (!provider || !has_secret) return { tone: "cherry", text: "Not set up", done: 0 };
  return last_verified
    ? { tone: "green", text: "Active", done: 100 }
    : { tone: "gold", text: "Nothing heard yet", done: 50 };
}

const when = (moment: string) => {
  const { day, time } = localMoment(moment);
  return `${formatShortDate(day)}, ${time}`;
};

const answers = { processed: "200, done", waiting: "200, being worked on", failed: "200, failed" } as const;

function Webhook({ state }: Readonly<{ state: State }>) {
  const test = useTestPaymentWebhook();
  const { tone, text, done } = statusOf(state);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(state.url);
      toast({ title: "Copied", text: "The address is in the clipboard." });
    } catch {
      toast({
        tone: "error",
        title: "Error",
        text: "The browser does not let this page copy. Please select the address.",
      });
    }
  };
  return (
    <>
      <div className={settings.row}>
        <strong>{state.path}</strong>
        <span className={`badge ${tone}`} data-done={done}>
          {text}
        </span>
      </div>
      <TextInput label="Address to enter at the provider" value={state.url} readOnly />
      <div className={settings.row}>
        <Button tone="line" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          tone="line"
          aria-label={`Test ${state.path}`}
          busy={test.isPending}
          busyLabel="Testing..."
          onClick={() => test.mutate({})}
        >
          Test
        </Button>
      </div>
      <TestResult result={test.data} error={test.error} />
      <dl className={settings.facts}>
        <div>
          <dt>Last verified</dt>
          <dd>
            {state.last_verified ? `${state.last_verified.type}, ${when(state.last_verified.received_at)}` : "never"}
          </dd>
        </div>
        {state.deliveries.map((one) => (
          <div key={one.id}>
            <dt>{when(one.received_at)}</dt>
            <dd>
              {one.type}
              <br />
              <span className="small quiet">
                {answers[one.state]}
                {one.error ? `: ${one.error}` : ""}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
