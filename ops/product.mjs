import { join } from 'node:path'
import { ROOT } from './root.mjs'

/**
 * Node's options for the product, sizes in MiB: early collections, and few of them
 * (bench/README.md, "Memory", "p99 at half of the load").
 */
export const PRODUCT = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
  '--heap-growing-percent=50',
  join(ROOT, 'server', 'main.ts'),
]
