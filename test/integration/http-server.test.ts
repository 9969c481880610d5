import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startHttpServer } from "../../src/http/server.ts";
import { openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";

describe("the HTTP server", () => {
  it("says what to do when its port is taken, or is no address of this machine", async () => {
    await using place = await openHttpPlace();
    const start = (host: string, port: number) =>
      startHttpServer({ engine: place.engine, events: place.events, logger: silentLogger, host, port });
    await expect(start("127.0.0.1", place.server.port)).rejects.toMatchObject({
      code: "PORT_TAKEN",
      message: expect.stringContaining("--port"),
    });
    await expect(start("192.0.2.1", 0)).rejects.toMatchObject({ code: "HOST_UNAVAILABLE" });
  });

  it("answers what is under way before it closes, and takes nothing more", async () => {
    const place = await openHttpPlace();
    const body = JSON.stringify({ kind: "anything", input: 1 });
    const socket = connect(place.server.port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    const headers = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    await new Promise((resolve) =>
      socket.write(`POST /api/jobs HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, 5)}`, resolve),
    );
    // The same connection order tells that the server has the first request.
    await place.ask("/healthz");
    const closed = place.server.close();
    socket.write(body.slice(5));
    await once(socket, "close");
    expect(answer).toContain("HTTP/1.1 201");
    await closed;
    await expect(fetch(place.url)).rejects.toThrow();
    await place.close();
  });

  it("ends a request whose body comes in drops", async () => {
    await using place = await openHttpPlace({ slowest: { minBytes: 1_000, windowMs: 200 } });
    const socket = connect(place.server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      "POST /api/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n",
    );
    const dripping = setInterval(() => socket.write(" "), 20);
    const [answer] = await once(socket, "data");
    clearInterval(dripping);
    expect(String(answer)).toContain("408 Request Timeout");
  });

  it("cuts off who does not come to an end", async () => {
    const place = await openHttpPlace({ closeMs: 100 });
    const socket = connect(place.server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      "POST /api/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    await place.ask("/healthz");
    const gone = once(socket, "close");
    await place.close();
    await gone;
  });
});
