/** The types of the client's methods, all of them told from the contract's table of operations. */
import type { z } from "zod";
import type {
  EmptyAnswer,
  EventsAnswer,
  FileAnswer,
  JsonAnswer,
  NewsAnswer,
  Operation,
  TextAnswer,
} from "../contract/operation.ts";
import type { OperationId, Operations } from "../contract/operations.ts";

export interface CallOptions {
  signal?: AbortSignal;
  /** How often to try again when the server says that it is busy; left out, as the client was created with. */
  retries?: number;
}

export interface CreateOptions extends CallOptions {
  /** The same key never creates the work twice, however often the request is sent. */
  idempotencyKey?: string;
}

export interface WatchOptions {
  signal?: AbortSignal;
  /** The id or number of the last event that is known already: 0 for all there are. Left out, it begins with the present. */
  after?: string | number;
  /** Told when the server stops answering, once each time. */
  onSilence?: () => void;
  /** How long the server may be gone before it is given up. */
  patienceMs?: number;
}

/** One event of a job, a document, a batch or a book's job. */
export interface WatchedEvent<State> {
  /** What to come back with. */
  id: string;
  /** Its number in the stream, counted from 1 without gaps. */
  number: number;
  type: string;
  data: Record<string, unknown>;
  /** The subject as it stands, of a `state_sync` only. */
  state?: State;
}

export type News<Types> = {
  [Type in keyof Types]: { type: Type; data: z.output<Types[Type] & z.ZodType> };
}[keyof Types];

/** Fields of a form that take a list of files take a single one as well. */
type FormInput<Fields> = { [Name in keyof Fields]: Blob[] extends Fields[Name] ? Fields[Name] | Blob : Fields[Name] };

type Nothing = Record<never, never>;
type Part<Op, Key extends string> = Op extends { [Name in Key]: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Nothing;
type Simplified<Type> = { [Name in keyof Type]: Type[Name] };
type Watches<Op extends Operation> = Op["answers"][200] extends EventsAnswer | NewsAnswer ? true : false;

/** Everything that an operation takes, in one object: of its path, its query and its body. */
export type Input<Op extends Operation> = Simplified<
  Part<Op, "params"> &
    (Watches<Op> extends true ? Nothing : Part<Op, "query">) &
    Part<Op, "json"> &
    FormInput<Part<Op, "form">>
>;

type Given<One> =
  One extends JsonAnswer<infer Schema>
    ? z.output<Schema>
    : One extends TextAnswer
      ? string
      : One extends FileAnswer
        ? Blob
        : One extends EmptyAnswer
          ? undefined
          : never;
/** Parts of a file, and that it has not changed, are for those who ask for that. */
type Answers<Op extends Operation> = Omit<Op["answers"], 206 | 304>;
type Events<One> =
  One extends EventsAnswer<infer State>
    ? WatchedEvent<z.output<State>>
    : One extends NewsAnswer<infer Types>
      ? News<Types>
      : never;

export type Result<Op extends Operation> =
  Watches<Op> extends true
    ? AsyncGenerator<Events<Op["answers"][200]>, void, void>
    : Promise<Given<Answers<Op>[keyof Answers<Op>]>>;

type Options<Op extends Operation> =
  Watches<Op> extends true
    ? WatchOptions
    : Op extends { headers: z.ZodObject<{ "idempotency-key": z.ZodType }> }
      ? CreateOptions
      : CallOptions;

type Method<Op extends Operation> =
  Nothing extends Input<Op>
    ? (input?: Input<Op>, options?: Options<Op>) => Result<Op>
    : (input: Input<Op>, options?: Options<Op>) => Result<Op>;

/** A method for every operation, under its id. */
export type ClientMethods = { [Id in OperationId]: Method<Operations[Id]> };
