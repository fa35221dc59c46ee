import { rmSync } from 'node:fs'

/** Removes the data of the run, after the end of the product. */
export default function removeData(): void {
  if (process.env.E2E_DIRECTORY) rmSync(process.env.E2E_DIRECTORY, { recursive: true, force: true })
}
