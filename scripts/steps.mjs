/** Runs the steps of a command, reports their progress, and stops what it started. Works on Node 20 without any package. */

import { spawn } from "node:child_process";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");

/** A failed step. The message is for the user. */
export class StepFailed extends Error {}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Prints a step and its duration. A long one reports every ten seconds. */
export async function step(title, work) {
  const since = performance.now();
  process.stdout.write(`- ${title} ...\n`);
  const timer = setInterval(
    () => process.stdout.write(`  still running: ${title} (${seconds(since)})\n`),
    10_000,
  ).unref();
  try {
    const result = await work();
    process.stdout.write(`  done in ${seconds(since)}\n`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

const running = new Set();

/** Starts a program and waits for its end. `quiet` captures the output for the failure message. */
export function run(command, args, { quiet = false, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
      ...options,
    });
    running.add(child);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (part) => (output += part));
    child.stderr?.setEncoding("utf8").on("data", (part) => (output += part));
    child.once("error", (error) => end({ code: 127, output: error.message }));
    child.once("close", (code, signal) => end({ code: code ?? 1, signal, output }));
    const end = (result) => {
      running.delete(child);
      resolve(result);
    };
  });
}

/** Like run, but throws a StepFailed with the last lines of the output. */
export async function must(command, args, options, message) {
  const result = await run(command, args, { quiet: true, ...options });
  if (result.code !== 0) throw new StepFailed(`${message}\n${result.output.trim().split("\n").slice(-25).join("\n")}`);
  return result.output;
}

export const stopRunning = (signal = "SIGTERM") => running.forEach((child) => child.kill(signal));

/** Runs a whole command. A StepFailed ends it with its message and without a stack. */
export async function command(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exit(1);
  }
}
