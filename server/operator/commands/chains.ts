import { type NetworkName, networks } from '@pool/contract/base/networks'
import { onSession } from '../../base/db/session.ts'
import { beginAgain } from '../../chain/nodes/beginAgain.ts'
import { withLock } from '../../chain/nodes/jobs.ts'
import type { BlockName } from '../../chain/nodes/node.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { settingsOf } from '../../chain/nodes/settings.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand } from './command.ts'
import { print } from './output.ts'
import { requireSuperAdmin } from './superAdmin.ts'

const usage = `Usage:
  npm run chains -- reset NETWORK --reason TEXT                 reads a network again above the highest read block that its node has
  npm run chains -- reset NETWORK --reason TEXT --from HEIGHT   above this block of the node
A live pool also needs --with EMAIL --code CODE: a super admin, and a code of their authenticator app`

const networkFrom = (text: string | undefined): NetworkName => {
  const network = networks.find(({ name }) => name.toLowerCase() === text?.toLowerCase())
  if (!network) throw new UsageError(`'${text ?? ''}' is not a network.\n${usage}`)
  return network.name
}

const heightFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new UsageError(`'${text}' is not the number of a block.\n${usage}`)
}

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'reason', 'from', 'with', 'code')
  const [verb, name, ...rest] = words
  if (verb !== 'reset' || rest.length > 0) throw new UsageError(usage)
  const { reason, with: email, code } = options
  const [network, from] = [networkFrom(name), heightFrom(options.from)]
  if (reason === undefined) throw new UsageError(`A reason is missing.\n${usage}`)
  const second = email !== undefined && code !== undefined ? { email, code } : undefined

  return async (product, config) => {
    const settings = settingsOf(config, network)
    if (!settings) throw new Error(`CHAINS names no node of ${network}.`)
    if (second) await requireSuperAdmin({ ...product, config }, second)
    else if (config.poolMode === 'live') throw new UsageError(usage)
    let block: BlockName | undefined
    const node = openNode(settings)
    const agreedBy = second?.email
    const asked = { network, node, from, by: operator(), reason, agreedBy }
    await withLock(
      network,
      () => product.direct.connect(),
      async (client) => {
        block = await beginAgain({ db: onSession(client), keys: product.keys }, asked)
      },
    )
    if (!block) throw new Error(`${network} is being read at this moment. Try again.`)
    // The product's role may delete no comparison.
    await product.owner.query(
      'DELETE FROM balance_checks WHERE network_name = $1 AND height > $2',
      [network, block.height],
    )
    print(`${network} is read again above block ${block.height} (${block.hash}).`)
  }
})
