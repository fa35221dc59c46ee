import { afterAll, beforeAll, describe, test } from 'vitest'
import { isChosen, playNetworks, startNetwork } from './chainNetworks.ts'
import { judge, openPayouts, payoutCases } from './chainPayouts.ts'
import { mishapCases } from './payoutMishaps.ts'

/** Batches are paid in many ways. The judge reads the node. */

for (const network of playNetworks)
  describe.skipIf(!network.canRun)(`payouts on ${network.name}`, () => {
    let started: Awaited<ReturnType<typeof startNetwork>>
    beforeAll(async () => {
      started = await startNetwork(network)
    })
    afterAll(() => started?.close())

    // A short run has each case for one coin, another one from case to case.
    for (const kind of network.kinds)
      for (const [at, [name, steps, only]] of [...payoutCases, ...mishapCases].entries())
        if (isChosen(kind, at, only))
          test(`${name}, in ${kind.title}`, async () => {
            const payouts = await openPayouts(started.stageOf(kind.coin))
            await judge(payouts, await steps(payouts))
          })
  })
