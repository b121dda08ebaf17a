import pino, { type DestinationStream, type Logger } from "pino";

/** The structured log. Secrets are cut out by name, wherever they stand in an entry. */
export type Log = Logger;

const secretNames = [
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "token",
  "access_token",
  "refresh_token",
  "token_hash",
  "secret",
  "secretKey",
  "webhookSecret",
  "apiKey",
  "esignApiKey",
  "nonce",
  "captcha_token",
];

/** Makes the log of one process. Level is one of pino's; "silent" for tests. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: "[cut]",
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
