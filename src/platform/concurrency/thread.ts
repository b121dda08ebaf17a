import { Worker } from "node:worker_threads";
import { errorCode } from "../errors.ts";

export type ThreadLimits = Readonly<{ ms: number; megabytes: number }>;

export class ThreadLimitExceeded extends Error {
  readonly limit: keyof ThreadLimits;

  constructor(limit: keyof ThreadLimits) {
    super(`a thread exceeded its limit of ${limit}`);
    this.limit = limit;
  }
}

/** Runs a module in a separate thread, with `data` as its `workerData`. Returns its first message. Throws ThreadLimitExceeded, or the error that the module does not catch. */
export async function runInThread<Result>(module: URL, data: unknown, limits: ThreadLimits): Promise<Result> {
  const thread = new Worker(module, {
    workerData: data,
    // Node's warning about experimental WebAssembly modules is no use to an operator.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32 },
    // Without this, Node's watch mode posts the names of the modules that the thread imports.
    env: {},
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(new ThreadLimitExceeded("ms")), limits.ms);
  thread.once("message", resolve);
  thread.once("error", (error) =>
    reject(errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY" ? new ThreadLimitExceeded("megabytes") : error),
  );
  thread.once("exit", () => reject(new Error(`the thread of ${module.pathname} ended without a result`)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
