/** Keeps the values of a label few: what comes from outside must not be able to fill the memory of whoever scrapes. */

const plainValue = /^[\w.:/ -]{1,100}$/;

/** The first `most` values it is given are kept, those after them are all "other". */
export function createBoundedLabel(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most || !plainValue.test(value)) return "other";
    known.add(value);
    return value;
  };
}
