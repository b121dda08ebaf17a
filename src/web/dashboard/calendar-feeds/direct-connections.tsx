import { Menu, TextInput } from "@mantine/core";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { reauthenticate } from "../../lib/api/account.ts";
import { errorToast } from "../../lib/attempt.ts";
import { needsReauthentication } from "../../lib/auth/reauthentication.ts";
import { formatMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { isComplete, useReauthentication } from "../dialogs/reauthentication-fields.tsx";
import { openDialog, DialogForm, useApiForm } from "../forms/api-form.tsx";
import { ActionsMenu, DestructiveItem, DialogItem } from "../lists/list-cells.tsx";
import { elapsed, FeedPanel } from "./feed-panel.tsx";
import {
  type CalendarConnection,
  useCalendarConnections,
  useRemoveConnection,
  useRetryConnection,
  useAddConnection,
  useConnectionOutcome,
} from "./use-connections.ts";
import styles from "./feeds.module.css";

export function DirectConnections({ things }: Readonly<{ things: string }>) {
  return (
    <FeedPanel
      title="Direct connections (CalDAV)"
      add={{ label: "Connect", run: () => openConnectionDialog() }}
      hint={`We write your ${things} and requests to a calendar “Stagedoor” in your account, within minutes of a change, and remove canceled ones. No other calendar is changed. Your changes in this calendar are overwritten.`}
      query={useCalendarConnections()}
      what="Your connections"
      none="No calendar connected yet."
    >
      {(connection) => <ConnectionItem key={connection.id} connection={connection} />}
    </FeedPanel>
  );
}

function ConnectionItem({ connection }: Readonly<{ connection: CalendarConnection }>) {
  const retry = useRetryConnection();
  const { id, server_host, username, status, show_count, failed_field, is_waiting, last_success_at } = connection;
  const isWorking = is_waiting || retry.isPending;
  const tryAgain = () => retry.mutateAsync({ id }).catch(errorToast("Not started"));
  return (
    <li className={styles.item}>
      <div>
        <strong>{server_host}</strong>
        <span className={styles.hint}>
          {username}, {show_count} {show_count === 1 ? "show" : "shows"}
        </span>
        <ConnectionState connection={connection} />
      </div>
      <span className={styles.actions}>
        {status === "failing" && (failed_field !== "server_url" || !last_success_at) ? (
          <Button tone="line" size="sm" onClick={() => openConnectionDialog(connection)}>
            Fix login
          </Button>
        ) : status === "removing" ? null : (
          <Button tone="line" size="sm" busy={isWorking} busyLabel="Working…" onClick={() => void tryAgain()}>
            <RefreshCw size={16} aria-hidden /> {status === "ok" ? "Update" : "Try again"}
          </Button>
        )}
        {status === "removing" ? null : (
          <ActionsMenu name={server_host}>
            {status === "removal_failed" ? null : (
              <>
                <Menu.Item onClick={() => void tryAgain()}>
                  {status === "failing" ? "Try again" : "Update now"}
                </Menu.Item>
                <DialogItem onClick={() => openConnectionDialog(connection)}>Change login</DialogItem>
              </>
            )}
            <RemoveItem connection={connection} />
          </ActionsMenu>
        )}
      </span>
    </li>
  );
}

function ConnectionState({ connection }: Readonly<{ connection: CalendarConnection }>) {
  const { status, is_waiting, failing_since, message, last_success_at, last_written_at, removed_until } = connection;
  if (status === "connecting") return <span className={styles.state}>Connecting…</span>;
  if (status === "removing") return <span className={styles.state}>Removing…</span>;
  if (status === "ok")
    return (
      <>
        <span className={styles.state} data-is="ok">
          OK, checked {elapsed(last_success_at)}
        </span>
        <span className={styles.hint}>Last written {elapsed(last_written_at)}</span>
      </>
    );
  return (
    <>
      <span className={styles.state} data-is="failing">
        {status === "removal_failed"
          ? "Not removed from the server"
          : `Failing since ${failing_since ? formatMoment(failing_since) : ""}`}
        {is_waiting ? ". Trying again…" : ""}
      </span>
      <span className={styles.hint}>
        {message}{" "}
        {status === "removal_failed"
          ? `We try until ${removed_until ? formatMoment(removed_until) : ""}. After that, the calendar remains on the server.`
          : last_written_at
            ? `Last written ${elapsed(last_written_at)}.`
            : ""}
      </span>
    </>
  );
}

function RemoveItem({ connection: { id, server_host, status } }: Readonly<{ connection: CalendarConnection }>) {
  const remove = useRemoveConnection();
  const isUnreachable = status === "removal_failed";
  return (
    <DestructiveItem
      label={isUnreachable ? "Remove without the server" : "Remove"}
      onClick={() =>
        openConfirmation({
          title: `Remove ${server_host}`,
          text: isUnreachable
            ? "The connection and its password are deleted here. The calendar “Stagedoor” stays on the server: delete it there yourself."
            : "The calendar “Stagedoor” is deleted from the server, with everything in it. Your other calendars do not change. If the server cannot be reached for 24 hours, the calendar remains there.",
          confirm: "Remove connection",
          busy: "Removing…",
          cancel: "Keep connection",
          danger: true,
          onConfirm: () => remove.mutateAsync({ id }),
          done: { title: isUnreachable ? "Connection removed" : "Removing the calendar" },
          failed: "Not removed",
        })
      }
    />
  );
}

function openConnectionDialog(connection?: CalendarConnection): void {
  const closed = new AbortController();
  openDialog(
    connection ? `New login for ${connection.server_host}` : "Connect a calendar",
    (onClose) => <ConnectionForm connection={connection} closed={closed.signal} onClose={onClose} />,
    { onClose: () => closed.abort() },
  );
}

type Props = Readonly<{ connection: CalendarConnection | undefined; closed: AbortSignal; onClose(): void }>;

/** A job tests the server. The form waits for the result, and shows a failure at the field that it concerns. */
function ConnectionForm({ connection, closed, onClose }: Props) {
  const add = useAddConnection();
  const retry = useRetryConnection();
  const outcomeOf = useConnectionOutcome();
  const [addedId, setAddedId] = useState(connection?.id);
  // After the first success only the password can change, because the server has our calendar.
  const hasWorked = connection !== undefined && connection.last_success_at !== null;
  const { fields, run } = useReauthentication({
    name: "connection-reauthentication",
    hint: "You signed in a while ago. Confirm your identity before your shows are sent to another server.",
  });
  const form = useApiForm({
    initialValues: { server_url: connection?.server_url ?? "", username: connection?.username ?? "", password: "" },
    validate: {
      server_url: (url) => (url === "" ? "Enter the address of the CalDAV server." : undefined),
      username: (name) => (name === "" ? "Enter the user name." : undefined),
      password: (password) => (password === "" ? "Enter the app password." : undefined),
    },
    verbatim: ["password"],
    send: async (values): Promise<void> => {
      let id = addedId;
      const save = async () => {
        ({ id } = id ? await retry.mutateAsync({ id, ...values }) : await add.mutateAsync(values));
      };
      const isSaved = await run((reauthentication) =>
        save().catch(async (error: unknown) => {
          if (!needsReauthentication(error) || !isComplete(reauthentication)) throw error;
          await reauthenticate(reauthentication);
          await save();
        }),
      );
      if (!isSaved || !id) return;
      setAddedId(id);
      const outcome = await outcomeOf(id, closed);
      if (!outcome) return;
      if (outcome.status === "failing") {
        form.setFieldError(outcome.failed_field ?? "server_url", outcome.message ?? "The server cannot be used.");
        return;
      }
      toast({ title: "Calendar connected", text: `Your shows are in “Stagedoor” on ${outcome.server_host}.` });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit={connection ? "Save login" : "Connect"} busyLabel="Connecting…" onClose={onClose}>
      {hasWorked ? (
        <p>User name: {connection.username}</p>
      ) : (
        <>
          <TextInput
            label="CalDAV server"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            maxLength={2000}
            data-autofocus
            description="Your calendar’s provider names the address. Google and Outlook have none: use the private feed there."
            {...form.field("server_url")}
          />
          <TextInput
            label="User name"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={320}
            {...form.field("username")}
          />
        </>
      )}
      <TextInput
        label="App password"
        type="password"
        autoComplete="off"
        maxLength={500}
        data-autofocus={hasWorked || undefined}
        description="Make one in your provider’s account settings. It is stored encrypted."
        {...form.field("password")}
      />
      {fields}
      <p className={styles.hint} role="status">
        {form.busy ? "This can take a minute. You can close this window: your list shows the result." : ""}
      </p>
    </DialogForm>
  );
}
