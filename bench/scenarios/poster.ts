/** A process that posts investments by the product's ledger, for the scenario `groups`. */
import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { openPlans } from '../../server/ledger/families/knownPlans.ts'
import { openInvestment } from '../../server/money/investments/openInvestment.ts'
import { connectTo } from '../../server/testing/process.ts'
import { closedLoop } from '../harness/closedLoop.ts'
import { idOf } from '../harness/people.ts'

/** The task of a poster: `groups` of a size one after the other, or callers for some time. */
export type Posting = {
  readonly environment: Readonly<Record<string, string>>
  readonly people: number
  readonly callers: number
} & ({ readonly groups: number } | { readonly seconds: number; readonly warmUp: number })

/** Operations and groups, and the milliseconds that they took. */
export type Posted = {
  readonly operations: number
  readonly groups: number
  readonly milliseconds: number
}

const run = async (posting: Posting): Promise<Posted> => {
  const config = readConfig(posting.environment)
  const { db, pool, close } = connectTo(config)
  let counted = { operations: 0, groups: 0 }
  const observer = {
    group: (size: number) => {
      counted = { operations: counted.operations + size, groups: counted.groups + 1 }
    },
    outcome: () => undefined,
  }
  const ledger = openLedger(pool, { observer })
  const plans = openPlans(db)
  const invest = () => {
    const id = idOf(1 + Math.floor(Math.random() * posting.people))
    return openInvestment(
      { ledger, config, plans },
      {
        by: { id, from: 'bench' },
        amount: cents(1_000n),
        durationDays: 12,
        idempotency: { actorId: id, key: randomUUID(), requestHash: randomUUID() },
      },
    )
  }
  /** Resolves once this many investments, asked for at one moment, are posted. */
  const together = () => Promise.all(Array.from({ length: posting.callers }, invest))
  try {
    if ('groups' in posting) {
      for (let group = 0; group < posting.groups / 10; group += 1) await together()
      counted = { operations: 0, groups: 0 }
      const since = performance.now()
      for (let group = 0; group < posting.groups; group += 1) await together()
      return { ...counted, milliseconds: performance.now() - since }
    }
    const { callers, seconds, warmUp } = posting
    const loop = (time: number) => {
      const end = performance.now() + time * 1_000
      return closedLoop(invest, { lanes: callers, until: () => performance.now() >= end })
    }
    await loop(warmUp)
    counted = { operations: 0, groups: 0 }
    const since = performance.now()
    await loop(seconds)
    return { ...counted, milliseconds: performance.now() - since }
  } finally {
    await close()
  }
}

process.once('message', async (posting: Posting) => {
  const posted = await run(posting)
  process.send?.(posted, () => process.disconnect())
})
