import { type PauseName, pause as pauseCall, pauseNames } from '@pool/contract/money/pauses'
import type { Database } from '../../base/db/connection.ts'
import { listPauses, pause, resume } from '../../money/brakes/pauses.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run pauses -- show
  npm run pauses -- pause NAME --reason TEXT     NAME is ${pauseNames.join(', ')}; everybody reads the reason
  npm run pauses -- resume NAME`

const show = async ({ db }: Database): Promise<void> => {
  const pauses = await listPauses(db)
  for (const { name, since, reason } of pauses) {
    const [year = 0, month = 1, ...rest] = since
    print(
      `${name} paused since ${new Date(Date.UTC(year, month - 1, ...rest.slice(0, 4))).toISOString()}: ${reason}`,
    )
  }
  if (pauses.length === 0) print('Nothing is paused.')
}

const nameFrom = (text: string): PauseName => {
  const name = pauseNames.find((each) => each === text)
  if (!name) throw new UsageError(`'${text}' cannot be paused.\n${usage}`)
  return name
}

const reasonFrom = (reason = ''): string => {
  const given = pauseCall.payload.safeParse({ reason })
  if (!given.success) throw new UsageError(`${given.error.issues[0]?.message}.\n${usage}`)
  return given.data.reason
}

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'reason')
  const [verb, nameText = '', ...rest] = words
  if (verb === 'show' && nameText === '') return show
  if ((verb !== 'pause' && verb !== 'resume') || rest.length > 0) throw new UsageError(usage)
  const name = nameFrom(nameText)
  if (verb === 'resume')
    return async (product) => {
      await resume(product, { name, by: operator() })
      await show(product)
    }

  const reason = reasonFrom(options.reason)
  return async (product) => {
    await pause(product, { name, reason, by: operator() })
    await show(product)
  }
})
