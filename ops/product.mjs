import { join } from 'node:path'
import { ROOT } from './install.mjs'

/**
 * What Node is given to start the product. V8 would else let garbage pile up to several times what
 * is in use, and keep the room. Each look at the whole heap takes a processor from PostgreSQL for
 * some 60 ms, so it is to be seldom: with this much room for young objects from the beginning, few
 * grow old that are soon garbage (bench/README.md, "Memory" and "p99 at half of the load"). Sizes
 * in MiB.
 */
export const PRODUCT = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
  '--heap-growing-percent=50',
  join(ROOT, 'server', 'main.ts'),
]
