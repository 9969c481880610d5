/** A real OTLP/HTTP receiver for traces in JSON: keeps what it is sent, flattened, and refuses when told to. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { until } from "./until.ts";

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: Record<string, string | number | boolean>;
  status: { code?: number; message?: string };
  links: { traceId: string; spanId: string; attributes: ReceivedSpan["attributes"] }[];
  events: string[];
  tookMs: number;
}

export interface TraceReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** What spans say of the process they come from. */
  readonly resources: readonly ReceivedSpan["attributes"][];
  readonly requests: readonly { path: string; headers: NodeJS.Dict<string | string[]> }[];
  /** The first span that fits, as soon as it is there. */
  received(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
}

type Value = { stringValue?: string; intValue?: string | number; doubleValue?: number; boolValue?: boolean };
type Pairs = { key: string; value: Value }[];

interface WireSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Pairs;
  status?: ReceivedSpan["status"];
  links?: { traceId: string; spanId: string; attributes?: Pairs }[];
  events?: { name: string }[];
}

interface Body {
  resourceSpans: { resource: { attributes: Pairs }; scopeSpans: { spans: WireSpan[] }[] }[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: ReceivedSpan["attributes"][] = [];
  const requests: { path: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    requests.push({ path: incoming.url ?? "", headers: incoming.headers });
    const { resourceSpans } = JSON.parse(await text(incoming)) as Body;
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(flatten(resource.attributes));
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(readSpan)));
    }
    outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    requests,
    received: (fits) => until(() => spans.find(fits)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readSpan({ attributes, status = {}, links = [], events = [], ...span }: WireSpan): ReceivedSpan {
  const { startTimeUnixNano, endTimeUnixNano, ...rest } = span;
  return {
    ...rest,
    attributes: flatten(attributes),
    status,
    links: links.map((link) => ({ ...link, attributes: flatten(link.attributes) })),
    events: events.map(({ name }) => name),
    tookMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
  };
}

function flatten(pairs: Pairs = []): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}
