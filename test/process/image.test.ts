/**
 * Builds the image of deploy/Containerfile and runs the server in it, as its own user on a read-only root. Runs in the deep
 * tier with buildah and the right to mount. NODE_IMAGE names a local base image, otherwise it is downloaded.
 */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endAll, freePort, freshFolder, root } from "./server.ts";

const buildah = (...args: string[]) =>
  execFileSync("buildah", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const isDeep = process.env["TEST_DEEP"] === "1";
const canBuild = isDeep && process.getuid?.() === 0 && spawnSync("buildah", ["--version"]).status === 0;
const user = 10_001;
const limitBytes = 300_000_000;
let container = "";
let imageRoot = "";

/** Mounts the root read-only with an empty /tmp and the data folder, and runs a program of the image as its user. */
const inImage = `
mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; mount -t tmpfs tmpfs "$1/tmp"; mount --bind "$2" "$1/data"
image="$1"; shift 2; exec chroot --userspec=${user}:${user} "$image" /usr/local/bin/node "$@"`;

function run(data: string, words: readonly string[], env: Record<string, string>) {
  const child = spawn("unshare", ["--mount", "sh", "-ec", inImage, "sh", imageRoot, data, ...words], {
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      HOST: "0.0.0.0",
      DATA_DIR: "/data",
      DEMO: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, output: () => output };
}

beforeAll(() => {
  if (!canBuild) return;
  const base = process.env["NODE_IMAGE"];
  const given = base ? ["--build-arg", `NODE_IMAGE=${base}`] : [];
  const build = ["build", "--isolation", "chroot", "--format", "docker", "--layers", ...given];
  buildah(...build, "-f", "deploy/Containerfile", "-t", "stagedoor-test", ".");
  container = buildah("from", "--pull-never", "localhost/stagedoor-test");
  imageRoot = buildah("mount", container);
}, 3_600_000);
afterAll(async () => {
  await endAll();
  if (container) buildah("rm", container);
});

test.skipIf(!canBuild)("builds a small image with its user and health check", () => {
  const { Docker } = JSON.parse(buildah("inspect", "--type", "image", "localhost/stagedoor-test")) as {
    Docker: { config: { User: string; Healthcheck: { Test: string[] }; StopSignal: string; Volumes: object } };
  };
  expect(Docker.config).toMatchObject({ User: `${user}:${user}`, StopSignal: "SIGTERM", Volumes: { "/data": {} } });
  expect(Docker.config.Healthcheck.Test.join(" ")).toContain("/readyz");
  const bytes = Number(execFileSync("du", ["-sb", imageRoot], { encoding: "utf8" }).split("\t")[0]);
  expect(bytes).toBeLessThanOrEqual(limitBytes);
});

test.skipIf(!canBuild)("serves in the image, checks itself, makes a backup, and ends in order", async () => {
  const data = freshFolder();
  chownSync(data, user, user);
  const port = await freePort();
  const env = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, LOG_LEVEL: "error" };
  const server = run(data, ["/app/src/app/main.ts"], env);
  const status = (address: string) =>
    fetch(`http://127.0.0.1:${port}${address}`).then(
      (response) => response.status,
      () => server.output(),
    );
  await expect.poll(() => status("/readyz"), { timeout: 300_000 }).toBe(200);
  for (const address of ["/", "/api/artists/count", "/api/docs"]) expect(await status(address)).toBe(200);
  for (const words of [["verify"], ["components"], ["backup", "/data/b.tar"], ["backup", "verify", "/data/b.tar"]]) {
    const command = run(data, ["/app/src/app/admin/main.ts", ...words], env);
    expect(await command.ended, command.output()).toBe(0);
  }
  const write = run(data, ["-e", 'require("node:fs").writeFileSync("/app/x", "")'], env);
  expect(await write.ended).not.toBe(0);
  expect(write.output()).toContain("EROFS");
  server.child.kill("SIGTERM");
  expect(await server.ended, server.output()).toBe(0);
});
