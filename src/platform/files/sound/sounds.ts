/** Decodes uploaded recordings and encodes them again in a separate thread. Only our own encoding is stored, without metadata. */

import { runInThread, ThreadLimitExceeded } from "../../concurrency/thread.ts";
import { Problem, invalid } from "../../errors.ts";
import { makeUploadQueue, type Turn } from "../upload-queue.ts";
import type { Excerpt } from "./decode.ts";
import type { Sample } from "./master.ts";
import type { Outcome, Task } from "./worker.ts";
export type { Sample } from "./master.ts";

const makingLimits = { ms: 40_000, megabytes: 256 } as const;

const inTurn = makeUploadQueue();

/** Makes a sample of an upload: at most 90 seconds of MP3 at -14 LUFS. Throws for other types, silence and damage. */
export function encodeSample(bytes: Buffer, turn?: Turn): Promise<Sample> {
  return inTurn(() => inThread({ bytes }), turn);
}

export function masterSample(excerpt: Excerpt): Promise<Sample> {
  return inTurn(() => inThread({ excerpt }));
}

async function inThread(task: Task): Promise<Sample> {
  const module = new URL("./worker.ts", import.meta.url);
  const outcome = await runInThread<Outcome>(module, task, makingLimits).catch((error: unknown) => {
    throw error instanceof ThreadLimitExceeded && error.limit === "ms" ? tooComplex() : error;
  });
  if ("sample" in outcome) return outcome.sample;
  const { kind, message, cause } = outcome.problem;
  throw new Problem(kind, message, { cause });
}

const tooComplex = () => invalid("This recording takes too long to read. Save it again as MP3 and try again.");
