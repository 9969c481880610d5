/**
 * Writes WebAssembly modules: just the parts of the binary format that kernels over one imported memory need. What the
 * processor runs can so be read here as source, and no compiler is needed to build it.
 */

/** Instructions as bytes. Expressions leave a value on the stack, statements leave none. */
export type Code = readonly number[];

type ValueType = "i32" | "f32" | "v128";

export interface Local {
  readonly index: number;
}

export interface FunctionScope {
  /** The parameters, all of them i32. */
  readonly parameters: readonly Local[];
  declare(type: ValueType): Local;
}

export interface WasmFunction {
  name: string;
  parameters: number;
  locals: readonly ValueType[];
  body: Code;
}

const typeBytes: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };
const section = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const functionType = 0x60;
const memoryKind = 2;
const functionKind = 0;
const end = 0x0b;

/** A function without a result, its parameters i32 each. */
export function defineFunction(
  name: string,
  parameters: number,
  write: (scope: FunctionScope) => readonly Code[],
): WasmFunction {
  const locals: ValueType[] = [];
  const scope: FunctionScope = {
    parameters: Array.from({ length: parameters }, (_, index) => ({ index })),
    declare(type) {
      locals.push(type);
      return { index: parameters + locals.length - 1 };
    },
  };
  const body = write(scope).flat();
  return { name, parameters, locals, body };
}

/** A module that works on the memory it imports as `env.memory`. */
export function writeModule(functions: readonly WasmFunction[]): Uint8Array {
  return Uint8Array.from([
    ...magicAndVersion,
    ...writeSection(
      section.type,
      functions.map(({ parameters }) => [
        functionType,
        ...writeVector(Array.from({ length: parameters }, () => [typeBytes.i32])),
        ...writeVector([]),
      ]),
    ),
    ...writeSection(section.import, [[...writeName("env"), ...writeName("memory"), memoryKind, 0x00, 1]]),
    ...writeSection(
      section.function,
      functions.map((_, index) => unsigned(index)),
    ),
    ...writeSection(
      section.export,
      functions.map(({ name }, index) => [...writeName(name), functionKind, ...unsigned(index)]),
    ),
    ...writeSection(
      section.code,
      functions.map(({ locals, body }) => {
        const declared = writeVector(locals.map((type) => [1, typeBytes[type]]));
        const code = [...declared, ...body, end];
        return [...unsigned(code.length), ...code];
      }),
    ),
  ]);
}

/** LEB128, as all unsigned numbers are written. */
export function unsigned(value: number): Code {
  const bytes: number[] = [];
  do {
    const low = value & 0x7f;
    value >>>= 7;
    bytes.push(value === 0 ? low : low | 0x80);
  } while (value !== 0);
  return bytes;
}

/** LEB128 with a sign, as the operand of i32.const is written. */
export function signed(value: number): Code {
  const bytes: number[] = [];
  for (;;) {
    const low = value & 0x7f;
    value >>= 7;
    if ((value === 0 && (low & 0x40) === 0) || (value === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

function writeSection(id: number, entries: readonly Code[]): Code {
  const content = writeVector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function writeVector(entries: readonly Code[]): Code {
  return [...unsigned(entries.length), ...entries.flat()];
}

function writeName(name: string): Code {
  const bytes = new TextEncoder().encode(name);
  return [...unsigned(bytes.length), ...bytes];
}
