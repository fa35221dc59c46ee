import { join } from 'node:path'
import { ROOT } from './install.mjs'

/**
 * What Node is given to start the product. V8 would else let garbage pile up to several times what is in use, and keep the room. To look for it sooner
 * costs nothing that could be measured in operations per second, and memory stays where it is (bench/README.md, "Memory"). Sizes in MiB.
 */
export const PRODUCT = [
  '--max-semi-space-size=8',
  '--initial-old-space-size=64',
  '--heap-growing-percent=20',
  join(ROOT, 'server', 'main.ts'),
]
