import { type DavServer, EntryRefused } from "./dav.ts";
import { ConnectionFailure } from "./failure.ts";
import { connectionLimits } from "./rules.ts";
import type { SyncedShow } from "./views.ts";

export type WantedShow = Readonly<{ version: number; text: string; digest: string }>;

export type Progress = {
  calendarUrl: string | null;
  written: Map<string, SyncedShow>;
  removed: string[];
  changed: boolean;
  complete: boolean;
};

/** After this many rejected entries the sync ends: the server rejects more than single shows. */
const maxRefused = 3;

/** Writes new and changed shows, and those changed or deleted on the server. Deletes canceled ones that we wrote, and no other entries. Throws ConnectionFailure. `progress` has what was done until then. */
export async function writeShows(
  server: DavServer,
  connectionId: string,
  shows: { wanted: ReadonlyMap<string, WantedShow>; known: ReadonlyMap<string, SyncedShow> },
  progress: Progress,
): Promise<void> {
  const { wanted, known } = shows;
  const url = progress.calendarUrl ?? (await server.findCalendarUrl(connectionId));
  let there = await server.listEntries(url);
  if (!there) {
    await server.createCalendar(url);
    progress.changed = true;
    there = new Map();
  }
  progress.calendarUrl = url;
  const endsAt = performance.now() + connectionLimits.turnMs;
  const refused: EntryRefused[] = [];
  const record = (id: string, { version, digest }: WantedShow, etag: string | null) =>
    void progress.written.set(id, { booking_id: id, version, text_digest: digest, etag });

  const steps = [
    ...[...known.keys()].filter((id) => !wanted.has(id)).map((id) => () => remove(id, there.get(id))),
    ...[...wanted].map(
      ([id, show]) =>
        () =>
          write(id, show, there.get(id)),
    ),
  ];
  for (const step of steps) {
    if (performance.now() > endsAt) return void (progress.complete = false);
    await step().catch((error: unknown) => {
      if (!(error instanceof EntryRefused)) throw error;
      refused.push(error);
    });
    if (refused.length >= maxRefused) break;
  }
  await learnTags(server, url, progress);
  if (refused[0]) throw new ConnectionFailure("server_url", refused[0].message, { cause: refused[0] });

  async function remove(id: string, etag: string | null | undefined) {
    if (etag !== undefined) {
      await server.removeEntry(url, { name: id, etag });
      progress.changed = true;
    }
    progress.removed.push(id);
  }

  async function write(id: string, show: WantedShow, etag: string | null | undefined) {
    const last = known.get(id);
    const isThere = etag !== undefined && etag !== null && last?.etag === etag && last.text_digest === show.digest;
    if (isThere) {
      if (last.version !== show.version) record(id, show, etag);
      return;
    }
    const fresh = await server.writeEntry(url, { name: id, text: show.text, etag });
    progress.changed = true;
    record(id, show, fresh);
  }
}

/** Reads missing tags from the list: a server that stores an entry in another form does not send its tag. */
async function learnTags(server: DavServer, calendarUrl: string, { written }: Progress): Promise<void> {
  const untagged = [...written].filter(([, { etag }]) => etag === null);
  if (untagged.length === 0) return;
  const there = await server.listEntries(calendarUrl);
  for (const [id, show] of untagged) written.set(id, { ...show, etag: there?.get(id) ?? null });
}
