// A picture of dots as a PNG in an address, where no browser makes one. What compresses is given by whoever runs the page's
// script without a browser (outside.ts).

declare global {
  var synchroscopeDeflate: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/** CRC-32 as PNG has it (ISO 3309), of bytes from a place on. */
function crc(bytes: Uint8Array, from: number): number {
  let rest = 0xffffffff;
  for (let i = from; i < bytes.length; ++i) {
    rest ^= bytes[i]!;
    for (let bit = 0; bit < 8; ++bit) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const all = new Uint8Array(content.length + 12);
  const view = new DataView(all.buffer);
  view.setUint32(0, content.length);
  all.set(Array.from(type, (c) => c.charCodeAt(0)), 4);
  all.set(content, 8);
  view.setUint32(content.length + 8, crc(all.subarray(0, content.length + 8), 4));
  return all;
}

/** n by n dots of four bytes (red, green, blue, opacity), each enlarged to a square. */
export function pngAddress(n: number, zoom: number, dots: Uint8ClampedArray): string {
  const side = n * zoom;
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, side);
  new DataView(header.buffer).setUint32(4, side);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = new Uint8Array(side * (1 + side * 4));
  for (let y = 0; y < side; ++y)
    for (let x = 0; x < side; ++x) {
      const from = (Math.floor(y / zoom) * n + Math.floor(x / zoom)) * 4;
      rows.set(dots.subarray(from, from + 4), y * (1 + side * 4) + 1 + x * 4);
    }
  const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', globalThis.synchroscopeDeflate!(rows)), chunk('IEND', new Uint8Array())];
  let text = '';
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(text)}`;
}
