/** Ports of this machine that no process listens on. */
import { createServer } from "node:net";

/** Returns ports that are free now. They are held together while they are chosen, so no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer());
  await Promise.all(
    probes.map((probe) => new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", () => resolve()))),
  );
  const ports = probes.map((probe) => {
    const address = probe.address();
    if (!address || typeof address === "string") throw new Error("no port could be had");
    return address.port;
  });
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

/** Returns one free port. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error("no port could be had");
  return port;
}
