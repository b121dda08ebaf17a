import { TextInput } from "@mantine/core";
import { Fragment } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { SectionsLoading, SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { TestResult } from "../../dashboard/settings/test-result.tsx";
import {
  useEsignState,
  usePaymentWebhook,
  useRetryProviderEvent,
  useTestEsignWebhook,
  useTestPaymentWebhook,
} from "../../lib/api/settings.ts";
import { errorToast } from "../../lib/attempt.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { formatShortDate, localMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import settings from "../../dashboard/settings/settings.module.css";

export function IntegrationsTab() {
  const payments = usePaymentWebhook();
  const esign = useEsignState();
  const testPayments = useTestPaymentWebhook();
  const testEsign = useTestEsignWebhook();
  const why = "Active after the first verified delivery.";
  if ([payments, esign].some(({ data, error }) => !data && !error))
    return <SectionsLoading what="the webhooks" fields={[1, 3, 3]} />;
  return (
    <>
      <SettingsSection
        wide
        title="Services"
        why="The components page shows whether the card provider and the signing service respond, and what is waiting for them."
      >
        <p>
          <Link to={paths.admin.components}>View components</Link>
        </p>
      </SettingsSection>
      <SettingsSection wide title="Card payments" why={why}>
        <Loaded query={payments} what="The webhook">
          {(state) => (
            <>
              <Webhook state={state} badge={statusOf(state)} test={testPayments} />
              <FailedEvents events={state.failed} count={state.failed_count} />
            </>
          )}
        </Loaded>
      </SettingsSection>
      <SettingsSection wide title="Contract signing" why={why}>
        <Loaded query={esign} what="The webhook">
          {(state) => (
            <>
              {state.outside ? null : (
                <p className="small quiet">
                  Contracts are signed on this server, so this address is not used. A signing service is chosen under{" "}
                  <Link to={paths.admin.settings("esign")}>E-Sign</Link>.
                </p>
              )}
              <Webhook
                state={state}
                badge={state.outside ? statusOf(state) : { tone: "buff", text: "Not needed", done: 0 }}
                test={testEsign}
              />
            </>
          )}
        </Loaded>
      </SettingsSection>
    </>
  );
}

type Deliveries = NonNullable<ReturnType<typeof usePaymentWebhook>["data"]>;
type Shown = Pick<Deliveries, "path" | "url" | "provider" | "has_secret" | "last_verified" | "deliveries">;
type Badge = { tone: string; text: string; done: number };
type Test = ReturnType<typeof useTestPaymentWebhook>;

function statusOf({ provider, has_secret, last_verified }: Shown): Badge {
  if (!provider || !has_secret) return { tone: "cherry", text: "Not set up", done: 0 };
  return last_verified
    ? { tone: "green", text: "Active", done: 100 }
    : { tone: "gold", text: "No delivery yet", done: 50 };
}

const when = (moment: string) => {
  const { day, time } = localMoment(moment);
  return `${formatShortDate(day)}, ${time}`;
};

const answers = { processed: "200, done", waiting: "200, being worked on", failed: "200, failed" } as const;

function Webhook({ state, badge, test }: Readonly<{ state: Shown; badge: Badge; test: Test }>) {
  const { tone, text, done } = badge;
  const copy = () =>
    copyText(state.url, {
      done: { title: "Copied", text: "The address is copied to the clipboard." },
      otherwise: "Please select the address and copy it.",
    });
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
      <dl className={settings.details}>
        <DetailRow label="Last verified">
          {state.last_verified ? (
            <>
              <EventType type={state.last_verified.type} />
              <br />
              <span className="small quiet">{when(state.last_verified.received_at)}</span>
            </>
          ) : (
            "never"
          )}
        </DetailRow>
        {state.deliveries.map((one) => (
          <DetailRow key={one.id} label={when(one.received_at)}>
            <EventType type={one.type} />
            <br />
            <span className="small quiet">
              {answers[one.state]}
              {one.error ? `: ${one.error}` : ""}
            </span>
          </DetailRow>
        ))}
      </dl>
    </>
  );
}

function FailedEvents({ events, count }: Readonly<{ events: Deliveries["failed"]; count: number }>) {
  const retry = useRetryProviderEvent();
  const run = (id: string) =>
    retry
      .mutateAsync({ id })
      .then(
        ({ error }) =>
          error === null
            ? toast({ title: "Event processed" })
            : toast({ tone: "error", title: "The event failed again", text: error }),
        errorToast("Event not retried"),
      );
  if (events.length === 0) return null;
  return (
    <>
      <h3>Failed events</h3>
      <p className="small quiet">
        We tried each of these several times and stopped. Retrying cannot apply an event twice.
        {count > events.length ? ` The oldest ${events.length} of ${count.toLocaleString("en-US")} are shown.` : ""}
      </p>
      <dl className={settings.details}>
        {events.map(({ id, type, received_at, error }) => (
          <DetailRow key={id} label={when(received_at)}>
            <EventType type={type} />
            <br />
            <span className="small quiet">{error}</span>
            <br />
            <Button
              tone="line"
              size="sm"
              aria-label={`Retry ${type} of ${when(received_at)}`}
              busyLabel="Retrying..."
              onClick={() => run(id)}
            >
              Retry
            </Button>
          </DetailRow>
        ))}
      </dl>
    </>
  );
}

/** A provider's event type, which breaks only after a dot. */
const EventType = ({ type }: Readonly<{ type: string }>) =>
  type.split(/(?<=\.)/).map((part, at) => (
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
