import { connect, createServer, type Server as Proxy, type Socket } from "node:net";

/** A proxy for PostgreSQL that can stop responding, like a frozen server or a lost network. */
export async function silencable(target: URL) {
  let away = false;
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  const proxy: Proxy = createServer((near) => {
    if (away) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    pairs.add([near, far]);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("data", (part) => silent || far.write(part)).on("close", () => far.destroy());
    far.on("data", (part) => silent || near.write(part)).on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const endAllPairs = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const address = proxy.address();
  const through = new URL(target);
  // The tests' own connections use the socket in the file system.
  through.searchParams.delete("host");
  through.hostname = "127.0.0.1";
  through.port = String(typeof address === "object" && address ? address.port : 0);
  return {
    url: through.href,
    silence: (value: boolean) => (silent = value),
    goAway: (value: boolean) => {
      away = value;
      if (away) endAllPairs();
    },
    close: () => {
      endAllPairs();
      proxy.close();
    },
  };
}
