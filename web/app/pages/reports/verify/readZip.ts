/** A file in an archive. */
export type Packed = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** Bytes of all files of an archive together. Larger ones are not read. */
const MOST = 1_000_000_000
const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** Bytes of the end with the longest comment. */
const LONGEST_END = 65_557

/** True for the bytes of an archive. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

/** Bytes of a local heading before its name, of one in the directory, and of the end. */
const [LOCAL_HEAD, ENTRY_HEAD, END_HEAD] = [30, 46, 22]
/** A packer that did not know the size at first writes it behind a file, with or without a mark. */
const BEHIND = [12, 16]
/** Flags and way of packing lie side by side. This flag tells of sizes behind the file. */
const SIZED_BEHIND = 8

/** Names that some system takes for one. */
const folded = (name: string): string => name.normalize('NFKC').toLowerCase()

/**
 * The files of an archive, by its directory at the end. Throws a `RangeError` for one that is
 * damaged, too large, or that another program could read otherwise (docs/threats.md T90).
 */
export const readZip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Packed[]> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const directory = view.getUint32(end + 16, true)
  const files: Packed[] = []
  const names = new Set<string>()
  let [at, left, begins] = [directory, MOST, [0]]
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new RangeError('not a directory of an archive')
    const entry = entryAt(view, at)
    const { local, packed, name, form } = entry
    if (!begins.includes(local) || view.getUint32(local, true) !== LOCAL)
      throw new RangeError('an archive has its files one behind the other')
    const head = localAt(view, local)
    if (head.name !== name || head.form !== form || names.has(folded(name)))
      throw new RangeError('a file in an archive has one name, and a name one file')
    names.add(folded(name))
    const { start } = head
    const method = form >> 16
    const isSizedBehind = (form & SIZED_BEHIND) !== 0
    if (!isSizedBehind && (head.packed !== packed || head.size !== entry.size))
      throw new RangeError('a file has another size')
    if (start + packed > directory) throw new RangeError('the archive is cut off')
    const content = await unpack(bytes.subarray(start, start + packed), { method, most: left })
    if (content.length !== entry.size) throw new RangeError('a file has another size')
    left -= content.length
    files.push({ name, bytes: content })
    begins = isSizedBehind ? BEHIND.map((more) => start + packed + more) : [start + packed]
    at = entry.next
  }
  if (!begins.includes(directory) || at !== end)
    throw new RangeError('an archive has nothing beside its files')
  return files
}

const nameAt = ({ buffer, byteOffset }: DataView<ArrayBuffer>, at: number, length: number) =>
  new TextDecoder().decode(new Uint8Array(buffer, byteOffset + at, length))

const entryAt = (view: DataView<ArrayBuffer>, at: number) => {
  const named = view.getUint16(at + 28, true)
  const more = view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  return {
    form: view.getUint32(at + 8, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    local: view.getUint32(at + 42, true),
    name: nameAt(view, at + ENTRY_HEAD, named),
    next: at + ENTRY_HEAD + named + more,
  }
}

/** The heading right before a file. Programs that read from the start believe it. */
const localAt = (view: DataView<ArrayBuffer>, at: number) => {
  const named = view.getUint16(at + 26, true)
  return {
    form: view.getUint32(at + 6, true),
    packed: view.getUint32(at + 18, true),
    size: view.getUint32(at + 22, true),
    name: nameAt(view, at + LOCAL_HEAD, named),
    start: at + LOCAL_HEAD + named + view.getUint16(at + 28, true),
  }
}

const endOf = (view: DataView): number => {
  const first = Math.max(0, view.byteLength - LONGEST_END)
  // Its comment goes to the last byte. Else readers could find two ends.
  for (let at = view.byteLength - END_HEAD; at >= first; at -= 1)
    if (view.getUint32(at, true) === END) {
      if (at + END_HEAD + view.getUint16(at + 20, true) === view.byteLength) return at
      break
    }
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
