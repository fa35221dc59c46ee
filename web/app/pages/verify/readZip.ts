/** A file in an archive. */
export type Packed = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** Bytes of all files of an archive together. Larger ones are not read. */
const MOST = 1_000_000_000
const END = 0x06054b50
const ENTRY = 0x02014b50
/** Bytes of the end with the longest comment. */
const LONGEST_END = 65_557

/** True for the bytes of an archive. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

/**
 * The files of an archive, by its directory at the end. Throws a `RangeError` for one that is
 * damaged, too large, or of a form that the pool does not make.
 */
export const readZip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Packed[]> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const files: Packed[] = []
  let [at, left] = [view.getUint32(end + 16, true), MOST]
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new RangeError('not a directory of an archive')
    const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)]
    const [named, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true))
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (named ?? 0)))
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (start + packed > bytes.length) throw new RangeError('the archive is cut off')
    const content = await unpack(bytes.subarray(start, start + packed), { method, most: left })
    left -= content.length
    files.push({ name, bytes: content })
    at += 46 + (named ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

const endOf = (view: DataView): number => {
  const first = Math.max(0, view.byteLength - LONGEST_END)
  for (let at = view.byteLength - 22; at >= first; at -= 1)
    if (view.getUint32(at, true) === END) return at
  throw new RangeError('an archive has an end')
}

const unpack = async (
  packed: Uint8Array<ArrayBuffer>,
  { method, most }: { readonly method: number; readonly most: number },
): Promise<Uint8Array<ArrayBuffer>> => {
  if (method === 0) return packed
  if (method !== 8) throw new RangeError('the archive is packed in an unknown way')
  let size = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      size += part.length
      if (size > most) throw new RangeError('the archive is too large')
      controller.enqueue(part)
    },
  })
  const stream = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(counted)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
