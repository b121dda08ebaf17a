/** `npm run admin -- verify-contract FILE`: checks the signed copy of a contract, without a server or a database. */
import { readFile } from "node:fs/promises";
import { ConfigError } from "#platform/config.ts";
import { errorMessage } from "#platform/errors.ts";

export const verifyContract = {
  name: "verify-contract",
  usage: "admin -- verify-contract FILE",
  purpose: "checks the signature, the evidence and the fingerprint of a signed contract; works without a server",
  run: async (file: string | undefined): Promise<boolean> => {
    if (!file) throw new ConfigError("Specify a file: verify-contract FILE.");
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new ConfigError(`The file ${file} cannot be read (${errorMessage(error)}).`);
    });
    const { verifySealedCopy } = await import("#contracts/index.ts");
    const { valid, lines } = await verifySealedCopy(bytes);
    process.stdout.write(`${lines.join("\n")}\n`);
    return valid;
  },
} as const;
