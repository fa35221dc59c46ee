// Compresses the built files once, as far as possible. The product may serve them meanwhile, so
// each compressed file appears whole. Pages are served with the operator's values, and stay plain.
import { globSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const BUILD = fileURLToPath(new URL('build', import.meta.url))
const CLIENT = join(BUILD, 'client')
const encodings = [
  { ending: 'br', compress: promisify(brotliCompress) },
  { ending: 'gz', compress: (content) => promisify(gzip)(content, { level: 9 }) },
]

const compressFile = async (file, place) => {
  const content = await readFile(join(CLIENT, file))
  for (const { ending, compress } of encodings) {
    const part = join(BUILD, `part-${place}.${ending}`)
    await writeFile(part, await compress(content))
    await rename(part, join(CLIENT, `${file}.${ending}`))
  }
}
await Promise.all(globSync('**/*.{js,css,svg,txt}', { cwd: CLIENT }).map(compressFile))
