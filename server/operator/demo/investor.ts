import { REGISTRATION_COUNTRY } from '@pool/contract/accounts/users'
import { type Cents, cents, centsFromDollars } from '@pool/contract/base/money'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import type { Plan } from '@pool/contract/money/plans'
import { createUser } from '../../accounts/users/register.ts'
import { completeByTwo } from '../../agreements/proposals/byTwo.ts'
import { chainOf } from '../../base/chains/networks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { savePayoutAddress } from '../../money/payoutAddresses/payoutAddress.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { DAY, HOUR, MINUTE, type World } from './life.ts'
import type { Person } from './people.ts'

/** Dollars of a deposit. Small ones are more frequent. */
const DEPOSITS = [
  25, 50, 50, 100, 100, 100, 150, 200, 200, 250, 300, 400, 500, 500, 750, 1_000, 1_200, 1_500,
  2_000, 2_500, 4_000, 6_500, 12_000,
]
const REASONS = [
  'The address belongs to another network. Please save a correct one.',
  'Please confirm this withdrawal by email first.',
  'The address was reported as fraudulent. Please contact support.',
]
const LEAST_WITHDRAWAL = centsFromDollars(10)
const LEAST_INVESTMENT = centsFromDollars(5)

type Investor = { readonly world: World; readonly by: Caller; readonly network: NetworkName }

/** An investor registers, and acts from then on. */
export const join = async (
  world: World,
  { email, firstName, lastName }: Person,
  passwordHash: string,
): Promise<void> => {
  const { means, random, after } = world
  const from = `198.51.100.${1 + Math.floor(random.next() * 254)}`
  const id = await createUser(
    means,
    { email, firstName, lastName, passwordHash, country: REGISTRATION_COUNTRY, from },
    ['USER'],
  )
  const network = random.pick(networks).name
  const investor = { world, by: { id, name: email, from }, network }
  // A few only look.
  if (random.chance(0.93))
    after(random.between(4 * MINUTE, 1.5 * DAY), () => world.whileOpen(() => deposit(investor)))
}

/** The reason of staff for a withdrawal that older ones wait behind. Kept only where some do. */
const PASSED_OVER = 'The older one waits for an answer of its investor'

const deposit = async (investor: Investor): Promise<void> => {
  const { world, by } = investor
  const { means, random, after } = world
  const amount = centsFromDollars(random.pick(DEPOSITS))
  const { transactionId, networkName } = await requestDeposit(means.ledger, { by, amount })
  // Some never send the coins, so that the request expires.
  if (random.chance(0.05)) return
  after(random.between(20 * MINUTE, 26 * HOUR), () =>
    decide(world, async (staff) => {
      const evidence = chainOf(networkName as NetworkName).randomTransactionId()
      const { status } = await confirmDeposit(means, { transactionId, by: staff, evidence })
      if (status === 'APPROVED') after(random.between(3 * MINUTE, 8 * HOUR), () => invest(investor))
      return status
    }),
  )
}

/** Lets staff decide, and a second person where one is not enough. */
const decide = async (
  world: World,
  work: (staff: Caller) => Promise<'PENDING' | 'APPROVED'>,
): Promise<void> => {
  const { random, staff, after } = world
  const first = random.pick(staff)
  if ((await work(first)) === 'APPROVED') return
  const second = staff.find((other) => other !== first) as Caller
  after(random.between(HOUR, 9 * HOUR), async () => void (await work(second)))
}

/** A part of the money, in whole dollars. */
const partOf = (amount: Cents, part: number): Cents =>
  cents(BigInt(Math.floor((Number(amount) * part) / 100)) * 100n)

/** Each plan as often as it is chosen. Longer ones are more frequent. */
const wishedOf = (plans: readonly Plan[]): readonly Plan[] =>
  plans.flatMap((plan, place) => Array.from({ length: place + 2 }, () => plan))

const invest = (investor: Investor): Promise<void> =>
  investor.world.whileOpen(async () => {
    const { world, by } = investor
    const { means, random, now, after } = world
    const amount = partOf(await means.ledger.available(by.id), random.pick([0.5, 0.8, 0.9, 1, 1]))
    if (amount < LEAST_INVESTMENT) return
    const { maturesAt } = await openInvestment(means, {
      by,
      amount,
      durationDays: random.pick(wishedOf(await means.plans.inForce())).durationDays,
    })
    // The job looks once a minute.
    after(maturesAt.getTime() - now() + random.between(1_000, MINUTE), async () => {
      await payMaturities(means)
      after(random.between(20 * MINUTE, 2.5 * DAY), () => goOn(investor))
    })
  })

/** After a maturity: withdraw, add money, or invest again. */
const goOn = async (investor: Investor): Promise<void> => {
  const { random, after, whileOpen } = investor.world
  const wish = random.next()
  if (wish < 0.3) return whileOpen(() => withdraw(investor))
  if (wish < 0.5) return whileOpen(() => deposit(investor))
  await invest(investor)
  // Many also keep a second investment beside it.
  if (random.chance(0.4)) after(random.between(HOUR, 4 * DAY), () => invest(investor))
}

const withdraw = async (investor: Investor): Promise<void> => {
  const { world, by, network } = investor
  const { means, random, after } = world
  const amount = partOf(await means.ledger.available(by.id), random.pick([0.2, 0.3, 0.5, 1]))
  if (amount < LEAST_WITHDRAWAL) return
  const address = chainOf(network).randomAddress()
  const saves = random.chance(0.6)
  if (saves) await savePayoutAddress(means, { userId: by.id, address, networkName: network, by })
  const { transactionId } = await requestWithdrawal(means, {
    by,
    amount,
    ...(!saves && { destinationAddress: address, networkName: network }),
  })
  const delay = random.between(25 * MINUTE, 26 * HOUR)
  if (random.chance(0.1))
    after(delay, async () => {
      const [reason, staff] = [random.pick(REASONS), random.pick(world.staff)]
      await rejectWithdrawal(means, { transactionId, by: staff, reason })
    })
  else
    after(delay, () =>
      decide(world, async (staff) => {
        const { status } = await approveWithdrawal(means, {
          transactionId,
          userId: by.id,
          payeeAddress: address,
          by: staff,
          outOfOrderReason: PASSED_OVER,
        })
        if (status === 'APPROVED') send(world, transactionId, network)
        return status
      }),
    )
  after(delay + random.between(HOUR, 3 * DAY), () => invest(investor))
}

/** Staff send the coins, which arrive on their network. */
const send = (world: World, transactionId: string, networkName: NetworkName): void => {
  const { means, random, staff, after } = world
  const by = random.pick(staff)
  const sent = {
    transactionId,
    networkName,
    evidence: chainOf(networkName).randomTransactionId(),
    by,
    outOfOrderReason: PASSED_OVER,
  }
  after(random.between(10 * MINUTE, 5 * HOUR), async () => {
    await markSent(means, sent)
    after(random.between(15 * MINUTE, 2 * HOUR), async () => {
      const other = staff.find(({ id }) => id !== by.id) ?? by
      await completeByTwo(means, [by, other], transactionId)
    })
  })
}
