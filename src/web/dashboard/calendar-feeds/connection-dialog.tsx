import { TextInput } from "@mantine/core";
import { useState } from "react";
import { toast } from "../../lib/toasts.ts";
import { DialogForm } from "../dialogs/dialog-form.tsx";
import { openDialog } from "../dialogs/open-dialog.ts";
import { useApiForm } from "../use-api-form.ts";
import {
  type CalendarConnection,
  useAddConnection,
  useConnectionOutcome,
  useRetryConnection,
} from "./use-connections.ts";
import styles from "./feeds.module.css";

export function openConnectionDialog(connection?: CalendarConnection): void {
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
  const form = useApiForm({
    initialValues: { server_url: connection?.server_url ?? "", username: connection?.username ?? "", password: "" },
    validate: {
      server_url: (url) => (url === "" ? "Enter the address of the CalDAV server." : undefined),
      username: (name) => (name === "" ? "Enter the user name." : undefined),
      password: (password) => (password === "" ? "Enter the app password." : undefined),
    },
    verbatim: ["password"],
    send: async (values): Promise<void> => {
      const { id } = addedId ? await retry.mutateAsync({ id: addedId, ...values }) : await add.mutateAsync(values);
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
      <p className={styles.hint} role="status">
        {form.busy ? "This can take a minute. You can close this window: your list shows the result." : ""}
      </p>
    </DialogForm>
  );
}
