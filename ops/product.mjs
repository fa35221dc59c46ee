import { join } from 'node:path'
import { ROOT } from './root.mjs'

/**
 * Node's options for the product, sizes in MiB: early and few collections, and no guess which
 * objects last (bench/README.md, "Memory", "p99 at half of the load", "Watched addresses").
 */
export const PRODUCT = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
  join(ROOT, 'server', 'main.ts'),
]
