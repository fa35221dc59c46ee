import { storageKeys } from '@pool/contract/accounts/session'
import { roleFrom } from '@pool/contract/accounts/users'
import { centsFromDollars, OPEN_DEPOSITS_LIMIT } from '@pool/contract/base/money'
import { defaultPlans } from '@pool/contract/money/plans'
import { register } from '../server/accounts/users/register.ts'
import { readConfig } from '../server/base/configuration/config.ts'
import { openDatabase } from '../server/base/db/connection.ts'
import { openKeys } from '../server/base/keys/keyFile.ts'
import { openLog } from '../server/base/process/log.ts'
import { startSession } from '../server/base/sessions/sessions.ts'
import { addWallet } from '../server/chain/wallets/addWallet.ts'
import { openLedger } from '../server/ledger/engine/ledger.ts'
import { openPlans } from '../server/ledger/families/knownPlans.ts'
import { openInvestment } from '../server/money/investments/openInvestment.ts'
import { confirmDeposit } from '../server/requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../server/requests/transactions/requestDeposit.ts'
import { newAddress } from '../server/testing/addresses.ts'

/** The keys and values that a browser stores of a session. */
export type Storage = Readonly<Record<string, string>>

export type Filled = { readonly investor: Storage; readonly staff: Storage }

/** The ledger posts this many in one group, and none waits long for a connection. */
const AT_ONCE = 20

const times = async (count: number, make: (index: number) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < count; start += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => make(start + index)),
    )
  }
}

/**
 * Fills the running product's database through its own verbs. Each list of both dashboards has at
 * least `count` rows. Returns a session of their investor and one of a super admin.
 */
export const fill = async (
  environment: Readonly<Record<string, string>>,
  count: number,
): Promise<Filled> => {
  // Long: a list of verbs, each called until its list is full, in the order of money.
  const config = readConfig(environment)
  const database = await openDatabase(config, { log: openLog('warn'), role: 'operator' })
  try {
    const { db, pool } = database
    const context = {
      config,
      plans: openPlans(db),
      db,
      keys: openKeys(config),
      ledger: openLedger(pool),
    }
    const { ledger } = context
    const person = async (email: string, role: 'USER' | 'SUPER_ADMIN') => {
      const id = await register(
        context,
        {
          email,
          password: crypto.randomUUID(),
          firstName: 'Grace',
          lastName: 'Hopper',
          country: 'US',
          from: 'bench',
        },
        [role],
      )
      return { id, email, role }
    }
    const investor = await person('investor@example.com', 'USER')
    const staff = await person('staff@example.com', 'SUPER_ADMIN')
    await times(count, (index) => person(`investor-${index}@example.com`, 'USER'))
    await times(20, () =>
      addWallet(
        context,
        { address: newAddress('Polygon'), networkName: 'Polygon' },
        { name: 'bench', from: 'bench' },
      ),
    )
    const { transactionId } = await requestDeposit(ledger, {
      by: { id: investor.id, from: 'bench' },
      amount: centsFromDollars(50 * count),
    })
    await confirmDeposit(context, {
      transactionId,
      by: { id: staff.id, name: staff.email, from: 'bench' },
    })
    await times(count, (index) =>
      openInvestment(context, {
        by: { id: investor.id, from: 'bench' },
        amount: centsFromDollars(5 + (index % 20)),
        durationDays: defaultPlans[index % 3]?.durationDays ?? 1,
      }),
    )
    await times(Math.min(count / 10, OPEN_DEPOSITS_LIMIT), (index) =>
      requestDeposit(ledger, {
        by: { id: investor.id, from: 'bench' },
        amount: centsFromDollars(10 + index),
      }),
    )
    const storageOf = async ({ id, email, role }: typeof investor): Promise<Storage> => ({
      [storageKeys.token]: await startSession(context, id),
      [storageKeys.username]: email,
      [storageKeys.userId]: id,
      [storageKeys.role]: roleFrom([{ type: role }]),
    })
    return { investor: await storageOf(investor), staff: await storageOf(staff) }
  } finally {
    await database.close()
  }
}
