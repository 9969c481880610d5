/**
 * The `sql` tag: the only way SQL text is put together. Values become numbered parameters, never text;
 * fragments made with the same tag are spliced in with their own values.
 */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** The statement as PostgreSQL takes it: text with $1 … $n and the values beside it. */
  compile(): { text: string; values: unknown[] } {
    const parameters: unknown[] = [];
    const text = this.#write(parameters);
    return { text, values: parameters.map((value) => (value instanceof Repeated ? value.value : value)) };
  }

  #write(parameters: unknown[]): string {
    let text = this.strings[0] ?? "";
    this.values.forEach((value, index) => {
      text += value instanceof Sql ? value.#write(parameters) : `$${numberOf(value, parameters)}`;
      text += this.strings[index + 1];
    });
    return text;
  }
}

/** A value that is one parameter wherever it stands in a statement, so that a long one is sent and read once. */
export class Repeated {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function numberOf(value: unknown, parameters: unknown[]): number {
  const known = value instanceof Repeated ? parameters.indexOf(value) : -1;
  return known === -1 ? parameters.push(value) : known + 1;
}

/**
 * Builds a statement or a fragment of one.
 *
 * @example
 * const due = sql`run_at <= now()`;
 * await db.query<{ id: string }>(sql`select id from jobs where kind = ${kind} and ${due}`);
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** A fragment that adds nothing, for parts of a statement that are there only sometimes. */
export const nothing = new Sql([""], []);

/** Joins conditions with `and`; no condition at all is `true`. */
export function allOf(conditions: readonly Sql[]): Sql {
  const [first, ...rest] = conditions;
  return rest.reduce((joined, next) => sql`${joined} and ${next}`, first ?? sql`true`);
}

/** A value for a json or jsonb parameter: the driver would take a JavaScript array for a PostgreSQL one. */
export function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
