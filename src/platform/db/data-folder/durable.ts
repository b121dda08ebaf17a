/** Makes commits of the embedded database durable: adds fsync to PGlite's file system and removes -F. */

import { fdatasyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type PreRun = (module: unknown) => void;
type Stream = { nfd?: number };
type Mounted = { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } } };

export class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const started = await super.init(...args);
    const options = started.emscriptenOpts as { preRun?: PreRun[] };
    options.preRun = [...(options.preRun ?? []), (module) => addFsync(module as Mounted)];
    return started;
  }
}

function addFsync(module: Mounted): void {
  module.NODEFS.stream_ops.fsync ??= (stream) => {
    if (stream.nfd !== undefined) fdatasyncSync(stream.nfd);
    return 0;
  };
}

/** A cache for the single process of an embedded database. The system caches the files too, and a larger one takes time to allocate. */
const cacheParams = ["-c", "shared_buffers=32MB"];

export const memoryStartParams: string[] = [...PGlite.defaultStartParams, ...cacheParams];

export const durableStartParams: string[] = [
  ...memoryStartParams.filter((param) => param !== "-F"),
  "-c",
  "wal_sync_method=fsync",
];
