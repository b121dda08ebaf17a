import { chmodSync, statSync } from "node:fs";
import { ConfigError } from "./config.ts";
import { errorMessage } from "./errors.ts";

/** Restricts a file or folder to its owner. Throws if that is impossible. Does nothing on Windows. */
export function restrictToOwner(target: string, mode: number): void {
  if (process.platform === "win32") return;
  try {
    chmodSync(target, mode);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: other users can read ${target}, and that cannot be changed (${errorMessage(error)}).`,
    );
  }
  if ((statSync(target).mode & 0o077) !== 0)
    throw new ConfigError(
      `DATA_DIR: other users can read ${target}, because this file system stores no access rights. Set DATA_DIR to a folder on another file system.`,
    );
}
