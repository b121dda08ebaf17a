import { parentPort, workerData } from "node:worker_threads";
import { openDav } from "./dav.ts";
import { ConnectionFailure } from "./failure.ts";
import { noProgress, type SyncOutcome, type SyncTask } from "./sync-task.ts";
import { writeShows } from "./write-shows.ts";

async function runSyncTask(work: SyncTask): Promise<SyncOutcome> {
  const progress = noProgress(work.calendarUrl);
  const server = openDav(work.credentials, { allowHosts: work.allowHosts });
  try {
    if (work.task === "write") await writeShows(server, work.connectionId, work, progress);
    else if (work.calendarUrl !== null) await server.removeCalendar(work.calendarUrl);
    return { progress, failure: null };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { progress, failure: { field: error.field, message: error.message } };
  }
}

parentPort?.postMessage(await runSyncTask(workerData as SyncTask));
