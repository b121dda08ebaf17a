import { createServer } from "node:net";

/** Returns distinct free ports of this machine. They are open at the same time while they are chosen. */
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

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error("no port could be had");
  return port;
}
