import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { queueOf } from "#test/harness/calendars/holds.ts";
import { streamTests } from "#test/harness/listening-app.ts";
import { quietFor } from "#test/harness/streams.ts";
import type { TestApp } from "#test/test-app.ts";
import { authenticate, streamAuth } from "#users/index.ts";
import { broadcastChange } from "./change-notifications.ts";
import { makeStreams, maxPerSession, watch } from "./streams.ts";

let app: TestApp;
let origin: string;
const { open, opened } = streamTests((listening, address) => {
  app = listening;
  origin = address;
});

async function person(role: "admin" | "artist" | "promoter") {
  const user = await app.make.user({ role });
  const headers = await app.signIn(user);
  return { ...user, headers };
}

describe("recipients", () => {
  test("sends a request to its artist, its promoter and the admins only", async () => {
    const [owner, other, promoter, stranger, admin] = await Promise.all([
      person("artist"),
      person("artist"),
      person("promoter"),
      person("promoter"),
      person("admin"),
    ]);
    const artist = await app.make.artist({ userId: owner.id });
    await app.make.artist({ userId: other.id });
    const [ownersStream, othersStream, promotersStream, strangersStream, adminsStream] = await Promise.all(
      [owner, other, promoter, stranger, admin].map((one) => open(one.headers)),
    );
    const response = await app.request("/api/bookings", {
      headers: promoter.headers,
      body: {
        artistId: artist.slug,
        clientName: "Hannah Whitt",
        clientEmail: "hannah@whitt.example",
        clientPhone: "+1 512 555 0148",
        eventDate: new Date(app.clock.now().getTime() + 60 * dayMs).toISOString().slice(0, 10),
        eventTime: "20:30",
        eventLocation: "The Waterworks, Austin, Texas",
        eventType: "Wedding",
        guestCount: 180,
        duration: "2 hours",
        specialRequests: "",
      },
    });
    expect(response.status).toBe(201);
    for (const stream of [ownersStream, promotersStream, adminsStream]) await stream?.hears("bookings");
    await quietFor();
    expect(othersStream?.heard).toEqual([]);
    expect(strangersStream?.heard).toEqual([]);
  });

  test("sends a challenge to all promoters with a hold of the night, the challenger too", async () => {
    const queue = await queueOf(app, 3);
    const streams = await Promise.all([0, 1, 2].map(async (at) => open(await app.signIn(queue.person(at).user))));
    expect((await queue.challenge(1)).status).toBe(200);
    for (const stream of streams) await stream.hears("bookings");
  });

  test("sends only the topic, neither cached, compressed nor buffered", async () => {
    const admin = await person("admin");
    const response = await fetch(`${origin}/api/events`, {
      headers: { ...admin.headers, "accept-encoding": "gzip, br" },
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    await app.database.transaction((tx) => broadcastChange(tx, "users", { admins: true, userIds: [admin.id] }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("data:")) text += (await reader?.read())?.value ?? "";
    expect(text).toMatch(/^: *\n\nevent: message\ndata: \{"about":"users"\}\n\n$/);
    await reader?.cancel();
  });

  test("sends nothing of a rolled-back transaction, and each topic of a transaction once", async () => {
    const promoter = await person("promoter");
    const stream = await open(promoter.headers);
    const to = { userIds: [promoter.id] };
    await expect(
      app.database.transaction(async (tx) => {
        await broadcastChange(tx, "claims", to);
        throw new Error("never mind");
      }),
    ).rejects.toThrow("never mind");
    await app.database.transaction(async (tx) => {
      for (let time = 0; time < 3; time++) await broadcastChange(tx, "bookings", to);
    });
    await stream.hears("bookings");
    await quietFor();
    expect(stream.heard).toEqual(["bookings"]);
  });
});

describe("missed notifications", () => {
  const intervals = { sweepMs: 60_000, reauthenticateMs: 60_000, beatMs: 60_000, requestMs: 0 };

  test("sends what changed while the browser had no stream first, or everything if that is not known", async () => {
    const [promoter, other] = [await person("promoter"), await person("promoter")];
    const streams = makeStreams(app.services, streamAuth(app.services), intervals);
    const bearer = promoter.headers.authorization.slice("Bearer ".length);
    const actor = await authenticate(app.services, bearer);
    if (!actor) throw new Error("nobody is signed in");
    const first = await streams.open(actor, bearer);
    const listening = performance.now();
    // The stream below may open this late. On a busy machine it is opened again.
    await pause(1_000);
    await app.database.transaction((tx) => broadcastChange(tx, "users", { userIds: [other.id] }));
    await app.database.transaction((tx) => broadcastChange(tx, "bookings", { userIds: [promoter.id] }));
    await expect.poll(() => [...first.waiting]).toEqual(["bookings"]);
    const opened = async (missedMs?: number) => [...(await streams.open(actor, bearer, missedMs)).waiting];
    await expect.poll(() => opened(Math.floor(performance.now() - listening))).toEqual(["bookings"]);
    expect(await opened(0)).toEqual([]);
    expect(await opened()).toEqual([]);
    expect(await opened(hourMs)).toEqual(["everything"]);
    await streams.drain();
  });

  test("accepts the time without stream in milliseconds and refuses other values", async () => {
    const promoter = await person("promoter");
    const response = await fetch(`${origin}/api/events?missedMs=86400000`, { headers: promoter.headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("data:")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain('data: {"about":"everything"}');
    await reader?.cancel();
    for (const madeUp of ["-1", "0.5", "1e999", "9007199254740993", "an hour", "[1]"]) {
      const address = `/api/events?missedMs=${encodeURIComponent(madeUp)}`;
      expect((await app.request(address, { headers: promoter.headers })).status, madeUp).toBe(400);
    }
  });
});

describe("limits", () => {
  test(`allows ${maxPerSession} streams per session and another one after one is closed`, async () => {
    const promoter = await person("promoter");
    for (let count = 0; count < maxPerSession; count++) await open(promoter.headers);
    await expect(open(promoter.headers)).rejects.toThrow(/^429 .*This session has 5 streams open already/);
    await open(await app.signIn(promoter));
    opened[0]?.leave();
    await expect.poll(() => app.services.streams.count()).toBe(maxPerSession);
    await open(promoter.headers);
  });

  test("refuses a visitor and an unknown parameter", async () => {
    await expect(open({})).rejects.toThrow(/^401 .*Please sign in first/);
    const { headers } = await person("artist");
    expect((await app.request("/api/events?since=yesterday", { headers })).status).toBe(400);
  });

  test("counts open streams in the metrics, but not their duration as response time", async () => {
    const { headers } = await person("artist");
    const figures = async () => (await app.request("/metrics")).text();
    const stream = await open(headers);
    expect(await figures()).toMatch(/^stagedoor_open_streams 1$/m);
    stream.leave();
    await expect.poll(() => figures()).toMatch(/^stagedoor_open_streams 0$/m);
    // A request that ends after the stream is counted, and the stream is not.
    await app.request("/api/me", { headers });
    await expect.poll(() => figures()).toMatch(/^http_request_seconds_count.*"\/api\/me".* 1$/m);
    expect(await figures()).not.toMatch(/"\/api\/events",status="200"/);
  });
});

describe("a process that could not listen", () => {
  const intervals = { sweepMs: 60_000, reauthenticateMs: 60_000, beatMs: 60_000, requestMs: 0 };

  async function failingFirst() {
    const user = await person("promoter");
    const bearer = user.headers.authorization.slice("Bearer ".length);
    const actor = await authenticate(app.services, bearer);
    if (!actor) throw new Error("nobody is signed in");
    let attempts = 0;
    const { database } = app.services;
    const listen: typeof database.listen = async (channel, listener) => {
      if (++attempts === 1) throw new Error("the first connection fails");
      return database.listen(channel, listener);
    };
    const services = { ...app.services, database: { ...database, listen } };
    const streams = makeStreams(services, streamAuth(app.services), intervals);
    return { user, streams, open: () => streams.open(actor, bearer), attempts: () => attempts };
  }

  test("listens with the next stream, once for all", async () => {
    const { user, streams, open, attempts } = await failingFirst();
    await expect(open()).rejects.toThrow("the first connection fails");
    const stream = await open();
    await open();
    expect(attempts()).toBe(2);
    await app.database.transaction((tx) => broadcastChange(tx, "bookings", { userIds: [user.id] }));
    await expect.poll(() => [...stream.waiting]).toEqual(["bookings"]);
    await streams.drain();
  });

  test("ends without an error", async () => {
    const { streams, open } = await failingFirst();
    const opening = open().catch((error: Error) => error.message);
    await streams.drain();
    expect(await opening).toBe("the first connection fails");
  });
});

describe("automatic ends", () => {
  const intervals = { sweepMs: 10, reauthenticateMs: 40, beatMs: 30, requestMs: 0 };

  async function inProcess(headers: Record<string, string>) {
    const streams = makeStreams(app.services, streamAuth(app.services), intervals);
    const bearer = headers["authorization"]?.slice("Bearer ".length) ?? "";
    const actor = await authenticate(app.services, bearer);
    if (!actor) throw new Error("nobody is signed in");
    const heard: string[] = [];
    const stream = await streams.open(actor, bearer);
    const gone = new AbortController();
    const over = (async () => {
      for await (const { about } of watch(stream, streams, gone.signal)) heard.push(about);
      return heard;
    })();
    return { streams, heard, over, gone };
  }

  test("sends a beat while nothing happens", async () => {
    const { heard, streams, over } = await inProcess((await person("artist")).headers);
    await expect.poll(() => heard.length).toBeGreaterThan(2);
    expect(new Set(heard)).toEqual(new Set(["beat"]));
    await streams.drain();
    await over;
    expect(streams.count()).toBe(0);
  });

  test("ends with `access` when the session expires, which is not broadcast", async () => {
    const who = await person("artist");
    const { over } = await inProcess(who.headers);
    await app.database.db
      .updateTable("sessions")
      .set({ not_after: new Date(0) })
      .where("user_id", "=", who.id)
      .execute();
    expect((await over).at(-1)).toBe("access");
  });

  test("ends without a topic when the token expires, because the browser opens a new stream", async () => {
    const { over } = await inProcess((await person("artist")).headers);
    app.clock.advance(hourMs);
    expect((await over).filter((about) => about !== "beat")).toEqual([]);
  });

  test("removes a stream whose client leaves before the first topic", async () => {
    const { headers } = await person("artist");
    const streams = makeStreams(app.services, streamAuth(app.services), intervals);
    const bearer = headers.authorization.slice("Bearer ".length);
    const actor = await authenticate(app.services, bearer);
    if (!actor) throw new Error("nobody is signed in");
    const stream = await streams.open(actor, bearer);
    watch(stream, streams, AbortSignal.abort());
    expect(streams.count()).toBe(0);
    await streams.drain();
  });

  test("ends all streams at shutdown and refuses new ones", async () => {
    const { streams, over } = await inProcess((await person("artist")).headers);
    await streams.drain();
    expect((await over).filter((about) => about !== "beat")).toEqual([]);
    const { headers } = await person("promoter");
    const bearer = headers.authorization.slice("Bearer ".length);
    const actor = await authenticate(app.services, bearer);
    if (!actor) throw new Error("nobody is signed in");
    await expect(streams.open(actor, bearer)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
