import { unzipSync } from 'fflate'

/** The files of a downloaded archive, by name. */
export const filesIn = (archive: unknown): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(archive as Buffer))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes),
    ]),
  )
