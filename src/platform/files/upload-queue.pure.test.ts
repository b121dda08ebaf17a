import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { makeUploadQueue } from "./upload-queue.ts";
import { readUpload } from "./upload.ts";

function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return promise;
  };
  return { work, begun: begun.promise, end: () => resolve("done") };
}
const quick = async () => "done";

test("refuses a second waiting picture of an account and lets others wait", async () => {
  const inTurn = makeUploadQueue();
  const first = held();
  const running = inTurn(first.work, { account: "one" });
  await first.begun;
  const waiting = inTurn(quick, { account: "one" });
  await expect(inTurn(quick, { account: "one" })).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 });
  const other = inTurn(quick, { account: "two" });
  first.end();
  expect(await Promise.all([running, waiting, other])).toEqual(["done", "done", "done"]);
  expect(await inTurn(quick, { account: "one" })).toBe("done");
});

test("refuses a picture with 503 if the queue is full, never the server's own work", async () => {
  const inTurn = makeUploadQueue(2);
  const first = held();
  const running = inTurn(first.work);
  await first.begun;
  const waiting = ["one", "two"].map((account) => inTurn(quick, { account }));
  await expect(inTurn(quick, { account: "three" })).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 });
  const own = inTurn(quick);
  first.end();
  expect(await Promise.all([running, ...waiting, own])).toEqual(["done", "done", "done", "done"]);
});

test("removes a waiting picture whose time is over, and never starts it", async () => {
  const inTurn = makeUploadQueue();
  const first = held();
  const running = inTurn(first.work);
  await first.begun;
  const time = new AbortController();
  let started = false;
  const late = inTurn(async () => void (started = true), { account: "one", signal: time.signal });
  time.abort();
  await expect(late).rejects.toMatchObject({ status: 503 });
  const next = inTurn(quick, { account: "one" });
  first.end();
  expect(await Promise.all([running, next])).toEqual(["done", "done"]);
  expect(started).toBe(false);
});

test("never admits a picture that was aborted before, and a place that was given up stays free only once", async () => {
  const inTurn = makeUploadQueue();
  const [first, second] = [held(), held()];
  const running = inTurn(first.work);
  await first.begun;
  await expect(inTurn(quick, { account: "one", signal: AbortSignal.abort() })).rejects.toMatchObject({ status: 503 });
  const time = new AbortController();
  const late = inTurn(quick, { account: "one", signal: time.signal });
  time.abort();
  await expect(late).rejects.toMatchObject({ status: 503 });
  const own = inTurn(second.work);
  const next = inTurn(quick, { account: "one" });
  first.end();
  await second.begun;
  await expect(inTurn(quick, { account: "one" })).rejects.toMatchObject({ status: 429 });
  second.end();
  expect(await Promise.all([running, own, next])).toEqual(["done", "done", "done"]);
});

test("continues after a failed task", async () => {
  const inTurn = makeUploadQueue();
  await expect(inTurn(() => Promise.reject(new Error("damaged")), { account: "one" })).rejects.toThrow("damaged");
  expect(await inTurn(quick, { account: "one" })).toBe("done");
});

test("ends an upload whose bytes do not arrive in time", async () => {
  const body = new PassThrough();
  body.write("the beginning");
  const time = new AbortController();
  const reading = readUpload(body, 1_000, undefined, time.signal);
  time.abort();
  await expect(reading).rejects.toThrow("The upload took too long. Nothing was stored. Please try again.");
});
