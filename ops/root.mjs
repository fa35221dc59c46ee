import { fileURLToPath } from 'node:url'

/** The directory of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
