/** Clients that leave before anyone has looked at what they send: their uploads end all the same, and hold nothing. */
import { connect } from "node:net";
import { expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { openBookClient } from "../support/book-client.ts";
import { closeGate } from "../support/database-gate.ts";
import { openDocumentPlace } from "../support/document-place.ts";
import { samplePage } from "../support/sample-pages.ts";
import { until } from "../support/until.ts";

it("an upload whose client is gone before its turn lets go of the book", async () => {
  await using place = await openDocumentPlace();
  const books = openBookClient(place.url);
  const bookId = await books.create();
  const gate = await closeGate(place.databaseUrl, `select from books where id = '${bookId}' for update`);
  const { hostname, port } = new URL(place.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = [
    `POST /admin/books/${bookId}/pages/bulk HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Content-Type: multipart/form-data; boundary=b",
    "Content-Length: 100000",
  ];
  socket.write(
    `${head.join("\r\n")}\r\n\r\n--b\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n`,
  );
  await gate.waiting();
  socket.destroy();
  // Answered after the server has heard of the end.
  for (let time = 0; time < 3; time++) expect((await place.ask("/healthz")).status).toBe(200);
  await gate.open();

  await until(async () => {
    const free = await place.db.query(sql`select from books where id = ${bookId} and upload_token is null`);
    return free.length === 1;
  });
  expect((await books.bulk(bookId, [await samplePage("page.png", "Free again")])).status).toBe(200);
});
