import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { realtimeApi } from "./api.ts";
import { type Streams, watch } from "./streams.ts";

export type RealtimeServices = PlatformServices & Readonly<{ streams: Streams }>;

const route = implement(realtimeApi).$context<Context<RealtimeServices>>();

export const realtimeRoutes = {
  events: route.events.handler(async ({ context, input, signal }) => {
    const { streams } = context.services;
    const bearer = context.request.headers.get("authorization")?.replace(/^Bearer /i, "") ?? "";
    const stream = await streams.open(requireActor(context), bearer, input.missedMs);
    // Proxies that buffer a response would delay every notification. Closing the connection leaves no idle socket.
    context.reply.header("x-accel-buffering", "no");
    context.reply.header("connection", "close");
    return watch(stream, streams, signal);
  }),
};
