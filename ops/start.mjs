// Runs `npm start`: installs, builds, then starts the product.
import { buildWebToServe } from './build.mjs'
import { installProduct } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { stepsInLog } from './steps.mjs'

stopWithParent()

await installProduct(stepsInLog())
await buildWebToServe(stepsInLog())
await import('./serve.mjs')
