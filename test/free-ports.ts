import { createServer } from "node:net";

/** A thousand ports of this worker below those that the system gives to sockets, because a server opens its port seconds later. */
const first = 20_000 + (Number(process.env["VITEST_POOL_ID"] ?? process.env["TEST_PARALLEL_INDEX"] ?? 0) % 12) * 1_000;
let next = process.pid % 1_000;

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** Returns a free port of this machine, another one with each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % 1_000);
    if (await isFree(port)) return port;
  }
}

/** Returns distinct free ports of this machine. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}
