/** A PostgreSQL for the tests: the given one, or the local programs in a temporary folder. Works on Node 20. */

import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { StepFailed } from "../steps.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const oldestMajor = 15;
const startWithinMs = 30_000;

/** Starts a server. Returns undefined if there is none to start. `stop` leaves nothing behind. */
export async function openPostgres() {
  const given = process.env.DATABASE_URL_TEST;
  if (given) return { url: given, stop: async () => undefined };
  const programs = findPrograms();
  return programs ? startIn(programs) : undefined;
}

export function findPrograms() {
  const versions = (folder, inner) =>
    existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name, inner)) : [];
  const places = [
    ...versions("/usr/lib/postgresql", "bin"),
    ...versions("/Library/PostgreSQL", "bin"),
    ...versions("/opt/homebrew/opt", "bin").filter((place) => place.includes("postgresql")),
    "/usr/local/pgsql/bin",
    ...(process.env.PATH ?? "").split(path.delimiter).filter(Boolean),
  ];
  const known = places
    .filter((place) => ["initdb", "postgres", "pg_isready"].every((program) => existsSync(path.join(place, program))))
    .map((place) => ({ place, major: majorOf(place) }))
    .filter(({ major }) => major >= oldestMajor);
  return known.sort((a, b) => b.major - a.major)[0]?.place;
}

function majorOf(place) {
  const result = spawnSync(path.join(place, "postgres"), ["--version"], { encoding: "utf8" });
  return Number.parseInt(
    /(\d+)(\.\d+|beta|rc|devel)?\s*/.exec((result.stdout ?? "").replace(/^\D*/, ""))?.[1] ?? "0",
    10,
  );
}

/** PostgreSQL does not run as root: then it runs as the user postgres or nobody. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const ids = ["-u", "-g"].map((flag) =>
      Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim() || Number.NaN),
    );
    if (ids.every((id) => id > 0)) return { uid: ids[0], gid: ids[1] };
  }
  throw new StepFailed("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.");
}

/** Lower case of non-ASCII text needs a UTF-8 locale, whose name differs between systems. */
function initialise(initdb, data, options) {
  let made;
  for (const locale of ["C.UTF-8", "en_US.UTF-8"]) {
    const args = ["-D", data, "-U", "stagedoor", "-A", "trust", "-E", "UTF8", `--locale=${locale}`, "--no-sync"];
    made = spawnSync(initdb, args, { ...options, encoding: "utf8" });
    if (made.status === 0) break;
  }
  return made;
}

async function startIn(programs) {
  const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-pg-"));
  const user = unprivileged();
  if (user.uid) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const port = await freePort();
  const options = { cwd: folder, ...user };
  const made = initialise(path.join(programs, "initdb"), data, options);
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new StepFailed(`PostgreSQL could not be set up for the tests.\n${made.stderr}`);
  }
  const settings = {
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: "200",
    log_min_messages: "panic",
  };
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    "-h",
    "127.0.0.1",
    "-k",
    folder,
    ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`]),
  ];
  // The shell watches the server: if this process ends in any way, the shell's input ends and it stops the server.
  const keeper = `"$@" & pid=$!; cat >/dev/null; kill -INT $pid; wait $pid`;
  const server = spawn("sh", ["-c", keeper, "sh", path.join(programs, "postgres"), ...args], {
    ...options,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    server.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await answering(programs, port, stop);
  // A Unix socket needs a third less time than a TCP connection.
  const query = new URLSearchParams({ host: folder });
  return { url: `postgres://stagedoor@127.0.0.1:${port}/postgres?${query.toString()}`, stop };
}

async function answering(programs, port, stop) {
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline) {
    const { status } = spawnSync(path.join(programs, "pg_isready"), [
      "-q",
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-U",
      "stagedoor",
    ]);
    if (status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await stop();
  throw new StepFailed("The PostgreSQL for the tests did not start within 30 seconds.");
}

export async function freePort() {
  const probe = createServer();
  await new Promise((resolve, reject) => probe.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
