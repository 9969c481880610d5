/** Vectors of one model have one length: a model whose vectors changed is another model and needs another name. */
import { TerminalError } from "../errors.ts";

export function checkDimensions(model: string, dimensions: number, vector: Float32Array): void {
  if (vector.length === dimensions) return;
  const message = `Vectors of the model ${model} have ${dimensions} numbers; one with ${vector.length} cannot be among them.`;
  throw new TerminalError("VECTOR_SIZE", message);
}
