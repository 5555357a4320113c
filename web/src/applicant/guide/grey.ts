/** A picture in grey levels, row by row: 0 is black, 255 white. */
export type Grey = { readonly width: number; readonly height: number; readonly data: Uint8Array };

const greyOf = (width: number, height: number): Grey => ({
  width,
  height,
  data: new Uint8Array(width * height),
});

/** Luma (ITU-R BT.601) of the four-channel pixels that a canvas gives. */
export function fromPixels(pixels: Uint8ClampedArray, width: number, height: number): Grey {
  const grey = greyOf(width, height);
  for (let i = 0, at = 0; i < grey.data.length; i++, at += 4) {
    grey.data[i] = (77 * (pixels[at] ?? 0) + 150 * (pixels[at + 1] ?? 0) + 29 * (pixels[at + 2] ?? 0)) >> 8;
  }
  return grey;
}

/** Rows become columns. */
export function turned({ width, height, data }: Grey): Grey {
  const out = greyOf(height, width);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out.data[x * height + y] = data[y * width + x] ?? 0;
  return out;
}

/** Smoothed by 1-2-1 along rows and columns, which takes a camera's noise away and leaves edges where they are. */
export function smooth({ width, height, data }: Grey): Grey {
  const rows = new Uint16Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const left = data[x > 0 ? i - 1 : i] ?? 0;
      const right = data[x < width - 1 ? i + 1 : i] ?? 0;
      rows[i] = left + 2 * (data[i] ?? 0) + right;
    }
  }
  const out = greyOf(width, height);
  for (let y = 0; y < height; y++) {
    const up = y > 0 ? -width : 0;
    const down = y < height - 1 ? width : 0;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      out.data[i] = ((rows[i + up] ?? 0) + 2 * (rows[i] ?? 0) + (rows[i + down] ?? 0) + 8) >> 4;
    }
  }
  return out;
}
