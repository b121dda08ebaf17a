import { afterAll } from "vitest";

/** Closes what a test file has opened at its start, after the file's last test. What was opened last is closed first. */
export function closeAfterFile<Opened extends { close(): unknown } | { drop(): unknown }>(opened: Opened): Opened {
  afterAll(async () => {
    await ("close" in opened ? opened.close() : opened.drop());
  });
  return opened;
}
