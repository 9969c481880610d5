/** A page in grey, and the few things done with all its pixels. */
export interface GreyImage {
  /** One byte a pixel, row by row; 0 is black. */
  data: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

export function countLevels({ data }: GreyImage): Uint32Array {
  const levels = new Uint32Array(256);
  for (let index = 0; index < data.length; index++) {
    const level = data[index] as number;
    levels[level] = (levels[level] as number) + 1;
  }
  return levels;
}

/** In place. */
export function invert({ data }: GreyImage): void {
  for (let index = 0; index < data.length; index++) data[index] = 255 - (data[index] as number);
}

/** Half as wide and half as high; each pixel the mean of four. */
export function halve({ data, width, height }: GreyImage): GreyImage {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const half = new Uint8Array(halfWidth * halfHeight);
  for (let y = 0; y < halfHeight; y++) {
    let from = 2 * y * width;
    for (let to = y * halfWidth; to < (y + 1) * halfWidth; to++, from += 2) {
      const upper = (data[from] as number) + (data[from + 1] as number);
      const lower = (data[from + width] as number) + (data[from + width + 1] as number);
      half[to] = (upper + lower + 2) >> 2;
    }
  }
  return { data: half, width: halfWidth, height: halfHeight };
}

/** Turned clockwise by a multiple of 90 degrees. */
export function turn(image: GreyImage, degrees: 0 | 90 | 180 | 270): GreyImage {
  if (degrees === 0) return image;
  const { data, width, height } = image;
  const turned = new Uint8Array(data.length);
  if (degrees === 180) {
    for (let index = 0; index < data.length; index++) turned[data.length - 1 - index] = data[index] as number;
    return { data: turned, width, height };
  }
  // Walks the result row by row; `step` leads from one of its pixels to the next in the source.
  const step = degrees === 90 ? -width : width;
  let to = 0;
  for (let row = 0; row < width; row++) {
    let from = degrees === 90 ? (height - 1) * width + row : width - 1 - row;
    for (let column = 0; column < height; column++, from += step) turned[to++] = data[from] as number;
  }
  return { data: turned, width: height, height: width };
}
