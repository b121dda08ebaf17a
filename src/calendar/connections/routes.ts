import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { invalid, invalidField, notFound, Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import { calendarConnectionsApi, type ConnectionReply } from "./api.ts";
import { ConnectionFailure } from "./failure.ts";
import { requireSecure } from "./public-fetch.ts";
import { connectionLimits, connectionStatus } from "./rules.ts";
import {
  type CalendarConnection,
  deleteConnection,
  insertConnection,
  lockConnection,
  lockConnectionsOf,
  passwordPurpose,
  requestRemoval,
  requestSync,
} from "./store.ts";
import { type ListedConnection, listConnections } from "./views.ts";

const on = implement(calendarConnectionsApi).$context<Context>();
const turnsPerHour = 60;

function toReply(connection: ListedConnection, now: Date): ConnectionReply {
  const { removing_since: removing } = connection;
  return {
    ...connection,
    server_host: new URL(connection.server_url).host,
    status: connectionStatus(connection),
    is_waiting: connection.next_sync_at <= now,
    removed_until: removing && new Date(removing.getTime() + connectionLimits.removeHours * hourMs),
  };
}

const unknownConnection = () => notFound("This connection does not exist.");

async function replyOf(context: Context, id: string): Promise<ConnectionReply> {
  const found = await listConnections(context.db, requireActor(context).userId);
  const connection = found.find((one) => one.id === id);
  if (!connection) throw unknownConnection();
  return toReply(connection, context.services.clock.now());
}

function serverUrl({ services }: Context, text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw invalidField("server_url", "This is not the address of a server. It begins with https://.");
  try {
    requireSecure(url, services.config.calendarAllowHosts);
  } catch (error) {
    throw error instanceof ConnectionFailure ? invalidField(error.field, error.message) : error;
  }
  return url.href;
}

const countTurn = ({ services }: Context, userId: string) =>
  services.limits.hit(`calendar connection ${userId}`, turnsPerHour, 3_600);

type Corrections = { server_url?: string | undefined; username?: string | undefined; password?: string | undefined };

/** Returns the changes of a retry. Another server never gets the stored password. Throws a Problem beside the field. */
function changesOf(context: Context, connection: CalendarConnection, input: Corrections) {
  const server_url = input.server_url === undefined ? connection.server_url : serverUrl(context, input.server_url);
  const username = input.username ?? connection.username;
  const moves = server_url !== connection.server_url || username !== connection.username;
  if (moves && connection.calendar_url !== null)
    throw invalidField("server_url", "To use another account, remove this connection and add a new one.");
  if (moves && input.password === undefined) throw invalidField("password", "Enter the app password again.");
  if (input.password === undefined) return {};
  return { server_url, username, password_sealed: context.services.keys.encrypt(passwordPurpose, input.password) };
}

function change(context: Context, id: string, work: (tx: Tx, connection: CalendarConnection) => Promise<void>) {
  const { userId } = requireActor(context);
  return context.transaction(async (tx) => {
    const connection = await lockConnection(tx, userId, id);
    if (!connection) throw unknownConnection();
    await work(tx, connection);
    await broadcastChange(tx, "bookings", { userIds: [userId] });
  });
}

const inUse = () => invalidField("username", "This account is already in your list.");

export const calendarConnectionsRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const connections = await listConnections(context.db, requireActor(context).userId);
    return { items: connections.map((one) => toReply(one, context.services.clock.now())) };
  }),
  add: on.add.handler(async ({ input, context }) => {
    const { userId, role } = requireActor(context);
    if (role === "admin") throw new Problem("not_found", "Your account has no shows to write to a calendar.");
    const { keys, clock } = context.services;
    const connection = {
      user_id: userId,
      server_url: serverUrl(context, input.server_url),
      username: input.username,
      password_sealed: keys.encrypt(passwordPurpose, input.password),
      created_at: clock.now(),
      next_sync_at: clock.now(),
    };
    await countTurn(context, userId);
    const { id } = await context.transaction(async (tx) => {
      await lockConnectionsOf(tx, userId);
      const known = await listConnections(tx, userId);
      if (known.length >= connectionLimits.connections)
        throw invalid(`You can have ${connectionLimits.connections} connections. Remove one first.`);
      const added = await insertConnection(tx, connection);
      if (!added) throw inUse();
      await broadcastChange(tx, "bookings", { userIds: [userId] });
      return added;
    });
    return replyOf(context, id);
  }),
  retry: on.retry.handler(async ({ input, context }) => {
    await countTurn(context, requireActor(context).userId);
    await change(context, input.id, async (tx, connection) => {
      const changes = changesOf(context, connection, input);
      const others = await listConnections(tx, connection.user_id);
      const isOther = (one: CalendarConnection) =>
        one.id !== input.id && one.server_url === changes.server_url && one.username === changes.username;
      if (others.some(isOther)) throw inUse();
      await requestSync(tx, input.id, context.services.clock.now(), changes);
    });
    return replyOf(context, input.id);
  }),
  remove: on.remove.handler(async ({ input, context }) => {
    await change(context, input.id, async (tx, connection) => {
      if (connectionStatus(connection) === "removal_failed") await deleteConnection(tx, input.id);
      else if (connection.removing_since === null) await requestRemoval(tx, input.id, context.services.clock.now());
    });
    return { id: input.id };
  }),
});
