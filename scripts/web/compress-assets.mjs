/** Stores compressed copies of the built web's scripts, styles and texts, because the server must not compress them per visitor. Works on Node 20. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const text = /\.(js|css|svg|json|md|txt)$/;
/** The server's own threshold. Smaller files save less than the headers weigh. */
const minBytes = 1_024;

const encodings = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

export async function compressAssets(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => text.test(file))
    .map((file) => path.join(folder, file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < minBytes) return;
      for (const [ending, compressed] of Object.entries(encodings))
        writeFileSync(`${file}.${ending}`, await compressed(bytes));
    }),
  );
}
