import { invest } from '@pool/contract/money/investments'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { balanceOf, newInvestor, signIn } from '../server/testing/client.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { rounds } from '../server/testing/rounds.ts'
import { ensureFaketime, openDatabaseWithClock } from './faketime.ts'
import { asGuest, type Directory, LIMIT, openNode, times, underLoad } from './run.ts'

/**
 * The database's clock is the clock of record (SECURITY.md). It jumps forward and back while money
 * moves.
 */

/** In seconds. */
const DAY = 86_400

let directory: Directory
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

test("the database's clock jumps a day forward and back", LIMIT, async ({ skip }) => {
  const library = ensureFaketime()
  if (library === undefined)
    return skip('libfaketime is not there, and only root on Debian can install it')
  const clock = await openDatabaseWithClock(directory, library)
  const node = await openNode(directory, { ...asGuest(directory), DAY_SECONDS: '3600' })
  const investor = await newInvestor(node.product(), 100)
  const { token, userId, email: username, password } = investor
  const opened = await ask(node.product(), invest, {
    token,
    payload: { userId, amount: 100, durationDays: 1 },
  })
  expect(opened.status).toBe(200)

  const balance = async () =>
    balanceOf(node.product(), await signIn(node.product(), { username, password }))

  await underLoad({ nodes: [node], directory, kind: 'nuisance' }, ({ strike }) =>
    times(rounds({ full: 10, short: 1 }), async () => {
      for (const offset of [DAY, -DAY, 0]) {
        await strike({ inject: () => clock.turn(offset), isSeen: () => clock.shows(offset) })
        // By the clock of record the hour was over, so the payout stands. Each look signs in, which
        // waits for an idle processor.
        await expect.poll(balance, { timeout: 240_000 }).toBe(104)
      }
    }),
  )
  await clock.close()
})
