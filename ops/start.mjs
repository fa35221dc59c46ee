// Runs `npm start`: installs, builds, then starts the product.
import { buildWeb } from './build.mjs'
import { installProduct } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { stepsInLog } from './steps.mjs'

stopWithParent()

await installProduct(stepsInLog())
await buildWeb(stepsInLog())
await import('./serve.mjs')
