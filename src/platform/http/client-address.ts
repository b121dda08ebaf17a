/** The address of the client, for limits, sessions and evidence. Behind a trusted proxy the server resolves it (app/http/http.ts). */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { addressBlock } from "../security/limits.ts";

/** Reads the address of each connection when it opens. Node.js then knows it also after the client has closed the connection. */
export function readAddresses(server: Pick<Server, "on">): void {
  server.on("connection", (socket: Socket) => void socket.remoteAddress);
}

/** Returns the client's address, without the port that some gateways add. Empty if the connection was closed before its address was read: Fastify's type excludes that. */
export const clientAddress = ({ ip = "" }: Readonly<{ ip: FastifyRequest["ip"] | undefined }>): string =>
  (/^([\d.]+):\d+$/.exec(ip) ?? /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(ip))?.[1] ?? ip;

/** Returns the caller that limits count: the address block. A request without an address shares no limit with other requests. */
export const limitBlock = ({ id, ip }: Readonly<{ id: string; ip: string }>): string =>
  ip === "" ? `request ${id}` : addressBlock(ip);
