import { readFile } from "node:fs/promises";
import { ConfigError } from "#platform/config.ts";
import { errorMessage } from "#platform/errors.ts";

/** Checks a signed copy without server and database. Returns false if it was changed. Throws ConfigError if it is unreadable. */
export async function verifyContract(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError(`The file ${file} cannot be read (${errorMessage(error)}).`);
  });
  const { verifySealedCopy } = await import("#contracts/index.ts");
  const { valid, lines } = await verifySealedCopy(bytes);
  process.stdout.write(`${lines.join("\n")}\n`);
  return valid;
}
