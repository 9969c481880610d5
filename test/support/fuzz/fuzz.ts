/** Sends requests made by chance, several at a time, and gathers what is wrong with their answers. */
import type { FuzzPlace } from "./fuzz-place.ts";
import { type HostileRequest, hostileRequest, type KnownThings } from "./hostile-requests.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { seeded } from "./random.ts";
import { rawGarbage } from "./raw-garbage.ts";
import { type Operation, readOperations } from "./read-operations.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

export interface FuzzOptions {
  seed: string;
  requests: number;
  /** Lines of the head that go with every request. */
  headers?: readonly string[];
  /** What else is wrong with an answer. */
  judge?(request: HostileRequest, answer: RawAnswer): string[];
}

/** A server to be asked, and what there is on it. */
export type FuzzTarget = Pick<FuzzPlace, "url" | "port" | "secrets" | "fill">;

export interface FuzzReport {
  /** What was wrong, each with the request that it was the answer to. */
  complaints: string[];
  /** How often there was which status. */
  statuses: Record<string, number>;
}

/** After so many, what has been deleted or used up meanwhile is brought anew. */
const round = 4_000;
const lanes = 8;
/** More would only say the same. */
const mostComplaints = 20;

export async function fuzz(place: FuzzTarget, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, headers = [], judge = () => [] } = options;
  const operations = await readOperations(place.url);
  const complaints: string[] = [];
  const statuses: Record<string, number> = {};
  let number = 0;
  for (let begun = 0; begun < requests && complaints.length < mostComplaints; begun += round) {
    const known = await place.fill();
    const last = Math.min(begun + round, requests);
    const send = async () => {
      while (number < last && complaints.length < mostComplaints) await sendOne(number++, known);
    };
    await Promise.all(Array.from({ length: lanes }, send));
  }
  return { complaints, statuses };

  async function sendOne(index: number, known: KnownThings): Promise<void> {
    const request = makeRequest(`${seed}/${index}`, operations, known, [`Host: 127.0.0.1:${place.port}`, ...headers]);
    const told = (complaint: string) => complaints.push(`request ${index}: ${complaint}\n${show(request)}`);
    try {
      const answer = await sendRaw(place.port, request);
      const status = String(answer.status ?? "closed");
      statuses[status] = (statuses[status] ?? 0) + 1;
      for (const complaint of judgeAnswer(request, answer, place.secrets)) told(complaint);
      for (const complaint of judge(request, answer)) told(complaint);
    } catch (error) {
      told(String(error));
    }
  }
}

function makeRequest(
  seed: string,
  operations: readonly Operation[],
  known: KnownThings,
  head: readonly string[],
): HostileRequest {
  const random = seeded(seed);
  if (random.chance(0.03)) return rawGarbage(random);
  const operation = random.pick(operations);
  // Each time it is taken it brings a dozen files with all their work; what is refused of it is seen often enough.
  if (operation.path === "/api/samples" && !random.chance(0.02))
    return makeRequest(`${seed}+`, operations, known, head);
  return hostileRequest(random, operation, known, head);
}

function show({ bytes, halfClose }: HostileRequest): string {
  return `${JSON.stringify(bytes.toString("latin1").slice(0, 600))}${halfClose ? " and no more" : ""}`;
}
