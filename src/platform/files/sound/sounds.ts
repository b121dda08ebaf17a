/** Decodes uploaded recordings and encodes them again in a separate thread. Only our own encoding is stored, without metadata. */
import { Worker } from "node:worker_threads";
import { Problem, invalid } from "../../errors.ts";
import { makeUploadQueue, type Turn } from "../upload-queue.ts";
import type { Sample } from "./master.ts";
import type { Excerpt } from "./decode.ts";
import type { Outcome, Task } from "./worker.ts";
export type { Sample } from "./master.ts";

/** The time limit. Making a sample takes about three seconds. */
const makingSeconds = 40;

const inTurn = makeUploadQueue();

/** Makes a sample of an upload: at most 90 seconds of MP3 at -14 LUFS. Throws for other types, silence and damage. */
export function encodeSample(bytes: Buffer, turn?: Turn): Promise<Sample> {
  return inTurn(() => inThread({ bytes }), turn);
}

export function masterSample(excerpt: Excerpt): Promise<Sample> {
  return inTurn(() => inThread({ excerpt }));
}

function inThread(task: Task): Promise<Sample> {
  const thread = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: task,
    // Node's warning about experimental WebAssembly modules is no use to an operator.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // Without this, Node's watch mode posts the names of the modules that the thread imports.
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<Sample>();
  const late = setTimeout(() => reject(tooComplex()), makingSeconds * 1_000);
  thread.once("message", (outcome: Outcome) => {
    if ("sample" in outcome) return resolve(outcome.sample);
    const { kind, message, cause } = outcome.problem;
    reject(new Problem(kind, message, { cause }));
  });
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the thread that makes samples ended without a result")));
  return promise.finally(() => {
    clearTimeout(late);
    void thread.terminate();
  });
}

const tooComplex = () => invalid("This recording takes too long to read. Save it again as MP3 and try again.");
