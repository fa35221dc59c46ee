import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Log } from '../../base/process/log.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { type Fault, NodeFault } from './fault.ts'
import { openNode } from './open.ts'
import { claimOf } from './settings.ts'
import { writeState } from './states.ts'

/** States in which a node contradicts its settings. */
const CONTRADICTING: ReadonlySet<Fault> = new Set(['OTHER_CHAIN', 'WRONG_TOKEN', 'NO_TRACES'])

/** Longest wait of a start for a node, in milliseconds. */
const TIMEOUT_MS = 3_000

/**
 * Asks the nodes whose settings no node has confirmed yet. Throws one Error that names each
 * contradiction (docs/decisions/045). A node that is away is a state, no error.
 */
export const requireNodes = async (
  { config, db }: WithDb & WithConfig,
  log: Log,
): Promise<void> => {
  if (config.chains.length === 0) return
  const rows = await db.selectFrom('chains').select('confirmed').execute()
  const confirmed = new Set(rows.map((row) => row.confirmed))
  const asked = config.chains.filter((settings) => !confirmed.has(claimOf(settings)))
  const faults = await Promise.all(
    asked.map(async (settings) => ({ settings, fault: await faultOf(settings) })),
  )
  const wrong = faults.filter(({ fault }) => fault && CONTRADICTING.has(fault.state))
  if (wrong.length > 0)
    throw new Error(
      `The nodes do not confirm CHAINS:\n${wrong.map(({ settings, fault }) => `  - ${settings.network}: ${fault?.message}`).join('\n')}`,
    )
  for (const { settings, fault } of faults) {
    const { network } = settings
    if (fault) {
      log.warn({ network, state: fault.state, words: fault.message }, 'a node cannot be used yet')
      await writeState(db, network, { state: fault.state, words: fault.message }, null)
    } else await writeState(db, network, { state: 'UNCHECKED', words: '' }, claimOf(settings))
  }
}

const faultOf = async (settings: ChainSettings): Promise<NodeFault | undefined> => {
  try {
    await openNode(settings, { timeout: TIMEOUT_MS }).check()
    return undefined
  } catch (error) {
    if (error instanceof NodeFault) return error
    throw error
  }
}
