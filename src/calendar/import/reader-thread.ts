import { parentPort, workerData } from "node:worker_threads";
import { readContents, type ReadingOptions } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";
import type { ReaderResult } from "./reader.ts";

const { text, options } = workerData as { text: string; options: ReadingOptions };

function readMessage(): ReaderResult {
  try {
    return readContents(text, options);
  } catch (error) {
    if (error instanceof CalendarUnreadable) return { unreadable: error.message };
    throw error;
  }
}

parentPort?.postMessage(readMessage());
