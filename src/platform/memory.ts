/** Gives the memory of a start back to the system. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type CollectGarbage = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/**
 * Collects garbage once, down to the last page. A start compiles a thousand modules and leaves a third of the process's memory
 * unused, which V8 keeps until there is pressure; a process at rest never has any. Takes about a tenth of a second.
 */
export function releaseUnusedMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectGarbage;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
