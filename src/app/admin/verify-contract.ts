/** `npm run admin -- verify-contract FILE`: checks the signed copy of a contract, without a server or a database. */
import { readFile } from "node:fs/promises";
import { ConfigError } from "#platform/config.ts";
import { errorMessage } from "#platform/errors.ts";

/** Prints what is valid and what is not. Returns false if the copy is not as it was signed. Throws ConfigError if the file cannot be read. */
export async function verifyContract(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError(`The file ${file} cannot be read (${errorMessage(error)}).`);
  });
  const { verifySealedCopy } = await import("#contracts/index.ts");
  const { valid, lines } = await verifySealedCopy(bytes);
  process.stdout.write(`${lines.join("\n")}\n`);
  return valid;
}
