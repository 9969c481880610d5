/** Where the files of batches are in storage. Those of one batch are under one prefix, so that they can go as a whole. */

export const batchesPrefix = "batches/";

export function batchPrefix(batchId: string): string {
  return `${batchesPrefix}${batchId}/`;
}

export function uploadKey(batchId: string, place: number): string {
  return `${batchPrefix(batchId)}upload-${place}`;
}

/** The claim's number keeps a second try from writing over what a first one may still be writing. */
export function downloadKey(batchId: string, sequence: number, lease: number): string {
  return `${batchPrefix(batchId)}download-${sequence}-${lease}`;
}
