/** An address at which every connection is refused. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Where nobody listens, most likely for as long as the test takes. */
export async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
