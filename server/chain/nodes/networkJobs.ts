import type { JobKind } from '@pool/contract/base/jobs'
import { networks } from '@pool/contract/base/networks'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Job, Process } from '../../base/process/job.ts'
import type { WithConfig } from '../../http/context.ts'
import type { Followed } from './follow.ts'
import { openNode } from './open.ts'
import { settingsOf } from './settings.ts'

type Needing = WithConfig
type Work<Needed> = (context: Needed, settings: ChainSettings, process: Process) => Promise<void>

/** A job for each network that the operator's nodes follow. One that stalls holds up no other. */
export const networkJobs = <Needed extends Needing>(
  name: JobKind,
  run: Work<Needed>,
  pushed?: (settings: ChainSettings, ask: () => void, ended: AbortSignal) => void,
): readonly Job<Needed>[] =>
  networks.map(({ name: network, words: [id] }) => ({
    name: `${name}-${id}`,
    at: '* * * * *',
    attempts: 1,
    atStart: true,
    outside: true,
    wanted: (config) => settingsOf(config, network) !== undefined,
    repeatAfter: (config) => settingsOf(config, network)?.pollSeconds,
    ...(pushed && {
      pushed: (config, ask, ended) => {
        const settings = settingsOf(config, network)
        if (settings) pushed(settings, ask, ended)
      },
    }),
    run: async (context, process) => {
      const settings = settingsOf(context.config, network)
      if (settings) await run(context, settings, process)
    },
  }))

type NodeToFollow = Pick<Followed, 'settings' | 'node' | 'stopping'>

/** Work on an opened node, for {@link networkJobs}. A process begins it once the last has ended. */
export const onNode = <Needed extends Needing>(
  work: (context: Needed, asked: NodeToFollow, process: Process) => Promise<void>,
): Work<Needed> => {
  const busy = new WeakSet<ChainSettings>()
  return async (context, settings, process) => {
    const { stopping, leaveUndone } = process
    if (busy.has(settings)) return leaveUndone()
    busy.add(settings)
    try {
      await work(context, { settings, node: openNode(settings, { stopping }), stopping }, process)
    } finally {
      busy.delete(settings)
    }
  }
}
