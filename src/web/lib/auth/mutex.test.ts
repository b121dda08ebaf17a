import { afterEach, expect, it, vi } from "vitest";
import { withMutex } from "./mutex.ts";

const fetchInTurn = withMutex((input, init) => fetch(input, init));

/** Browser locks for one name: each request waits for those before it. */
function giveLocks() {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, _options: object, work: () => Promise<unknown>) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
  vi.stubGlobal("navigator", { locks: { request } });
}

function giveServer() {
  const waiting: ((response: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => waiting.push(resolve)));
  return waiting;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
afterEach(() => vi.unstubAllGlobals());

it("serializes calls that may change the cookie, and does not delay reads", async () => {
  giveLocks();
  const server = giveServer();
  const [first, second] = [1, 2].map(() => fetchInTurn("/auth/v1/token", { method: "POST" }));
  const reading = fetchInTurn("/auth/v1/user");
  await settled();
  expect(server).toHaveLength(2);
  for (const respond of server.splice(0)) respond(new Response("first"));
  expect(await (await reading).text()).toBe("first");
  expect(await (await first)?.text()).toBe("first");
  await settled();
  expect(server).toHaveLength(1);
  server[0]?.(new Response("second"));
  expect(await (await second)?.text()).toBe("second");
});

it("sends without locks, and if earlier calls hang", async () => {
  const server = giveServer();
  vi.stubGlobal("navigator", {});
  const alone = fetchInTurn("/auth/v1/token", { method: "POST" });
  vi.stubGlobal("navigator", {
    locks: { request: () => Promise.reject(new DOMException("too long", "TimeoutError")) },
  });
  const late = fetchInTurn("/auth/v1/token", { method: "POST" });
  await settled();
  expect(server).toHaveLength(2);
  for (const respond of server) respond(new Response("answered"));
  expect(await (await alone).text()).toBe("answered");
  expect(await (await late).text()).toBe("answered");
});

it("does not send a failed call twice", async () => {
  giveLocks();
  const server = vi.fn(() => Promise.reject(new TypeError("no network")));
  vi.stubGlobal("fetch", server);
  await expect(fetchInTurn("/auth/v1/token", { method: "POST" })).rejects.toThrow("no network");
  expect(server).toHaveBeenCalledTimes(1);
});
