/** Checks whether the built web matches its sources. Works on Node 20. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { reachableFiles } from "./import-graph.mjs";

const configFiles = [
  "vite.config.ts",
  "react-router.config.ts",
  "scripts/web/compress-assets.mjs",
  "tsconfig.base.json",
  "tsconfig.web.json",
  "package.json",
  "package-lock.json",
];

const compareText = (a, b) => (a < b ? -1 : 1);
const hashOf = (parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha256")).digest("hex");

function ownFiles(root) {
  const inside = (folder) =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      : [];
  const configuration = configFiles.map((file) => path.join(root, file)).filter((file) => existsSync(file));
  return [...inside("src/web"), ...inside("public"), ...configuration];
}

/** Returns all sources of the web: its own files, and the shared shapes and rules of the server. */
export const webSources = (root) => reachableFiles(root, ownFiles(root));

const looksOf = (files) =>
  hashOf(
    files.map((file) => {
      const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: -1, mtimeMs: -1 };
      return `${file} ${size} ${mtimeMs}`;
    }),
  );

function readStamp(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, "utf8"));
  } catch {
    // No build, an interrupted one, or one of an older set-up: build again.
    return {};
  }
}

/**
 * Builds the web if its sources have changed since `stamp` was written. Returns whether it did. Compares sizes and times first, which takes
 * milliseconds. Only a difference makes it read the files.
 */
export async function buildWhenChanged(root, stamp, build) {
  const known = readStamp(stamp);
  const inRoot = (files) => files.map((file) => path.join(root, file));
  const looked = [...new Set([...ownFiles(root), ...inRoot(known.files ?? [])])].sort(compareText);
  if (known.looks !== undefined && looksOf(looked) === known.looks) return false;
  const files = webSources(root);
  const text = hashOf(files.flatMap((file) => [path.relative(root, file), readFileSync(file)]));
  const changed = text !== known.text;
  if (changed) {
    rmSync(stamp, { force: true });
    await build();
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(
    stamp,
    JSON.stringify({ looks: looksOf(files), text, files: files.map((file) => path.relative(root, file)) }),
  );
  return changed;
}
