/** The thread that makes one sample and ends. Failures caused by the file are returned as a message for its owner. */

import { parentPort, workerData } from "node:worker_threads";
import { Problem, type ProblemCode } from "../../errors.ts";
import { damaged, type Excerpt, loudestExcerpt } from "./decode.ts";
import { master, type Sample } from "./master.ts";
import { requireSoundFormat } from "./sound-type.ts";

export type Outcome = { sample: Sample } | { problem: { kind: ProblemCode; message: string; cause: string } };

export type Task = { bytes: Uint8Array } | { excerpt: Excerpt };

async function makeSample(task: Task): Promise<Sample> {
  if ("excerpt" in task) return master(task.excerpt);
  const bytes = Buffer.from(task.bytes);
  const format = await requireSoundFormat(bytes);
  // The decoders throw their own errors for unreadable data, and have no other input.
  const excerpt = await loudestExcerpt(bytes, format).catch((error: unknown) => {
    throw error instanceof Problem ? error : Object.assign(damaged(), { cause: error });
  });
  return master(excerpt);
}

const outcome: Outcome = await makeSample(workerData as Task).then(
  (sample) => ({ sample }),
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return { problem: { kind: error.kind, message: error.message, cause: String(error.cause ?? "") } };
  },
);
parentPort?.postMessage(outcome);
