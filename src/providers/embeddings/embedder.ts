/** Turns texts into vectors. Vectors of different models are never compared: `model` is stored beside each. */
import type { CallContext } from "../call-context.ts";

export interface Embedder {
  /** As people know it: `local`, `openai`, `azure`. */
  readonly provider: string;
  /** Names the model and everything else that decides the vector. */
  readonly model: string;
  /** How many texts one call takes best. */
  readonly batchSize: number;
  /** Vectors of length 1, in the order of the texts. */
  embed(texts: readonly string[], call: CallContext): Promise<Float32Array[]>;
  /**
   * The strength 0 to 1 that a cosine means with this model: 0.7 and above are texts a reader would call related. Models
   * differ too much for the bare cosine to say so.
   */
  strengthOf(cosine: number): number;
  close(): Promise<void>;
}
