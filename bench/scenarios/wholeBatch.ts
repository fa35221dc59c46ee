import { cents } from '@pool/contract/base/money'
import type { BitcoinSettings } from '../../server/base/configuration/chainsFile.ts'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { openNode } from '../../server/chain/nodes/open.ts'
import { pollNode } from '../../server/chain/nodes/states.ts'
import { insertSetRate } from '../../server/chain/rates/rates.ts'
import { insertKey } from '../../server/chain/wallets/addressKeys.ts'
import { giveUpBatch } from '../../server/coins/batches/giveUpBatch.ts'
import { makeBatch } from '../../server/coins/batches/makeBatch.ts'
import { planBatch } from '../../server/coins/batches/planBatch.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { approveWithdrawal } from '../../server/requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../server/requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../server/testing/addresses.ts'
import { playAccount } from '../../server/testing/coinsOut.ts'
import {
  asItsOwn,
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../server/testing/litecoind.ts'
import { passGuard } from '../../server/testing/tamper.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { emailOf, idOf, STAFF } from '../harness/people.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const PAYOUTS = 200
/** Transactions, each with an output for each address: 10,000 unspent outputs. */
const [TRANSACTIONS, ADDRESSES] = [50, 200]
const TURNS = 5
const FEE_RATE = 20

const timed = async <T>(work: () => Promise<T>): Promise<readonly [seconds: number, T]> => {
  const since = performance.now()
  const done = await work()
  return [(performance.now() - since) / 1_000, done]
}

/** The product's verbs on the stage's database, with a play node and a key of the pool. */
const openPool = async (stage: Stage, node: Litecoind) => {
  const settings: BitcoinSettings = {
    kind: 'bitcoin',
    network: 'Bitcoin',
    genesis: LITECOIN_REGTEST,
    confirmations: 2,
    url: node.url,
    credentialsFile: node.credentialsFile,
    smallUpTo: 0,
    pollSeconds: 10,
    stuckAfterMinutes: 1_440,
  }
  const config = { ...readConfig(stage.environment), chains: [settings] }
  const { db, pool } = stage.database()
  const context = { config, db, keys: openKeys(config), ledger: openLedger(pool) }
  const by = { id: idOf(STAFF), name: emailOf(STAFF), from: 'bench' }
  const play = playAccount()
  // Addresses of play people are of no network with a node.
  await passGuard(pool, 'wallets', "UPDATE wallets SET network_name = 'Solana'")
  await insertSetRate(db, context.keys, { coin: 'BTC', dollars: '1000', setBy: by.id, by })
  await db.transaction().execute((transaction) =>
    insertKey(transaction, context.keys, {
      network: 'Bitcoin',
      text: play.text,
      fingerprint: play.fingerprint,
      addedBy: by.id,
      by,
    }),
  )
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => play.key.addressAt(at))
  await pool.query(
    `INSERT INTO wallets (id, address, network_name, key_id, derivation_index)
     SELECT gen_random_uuid(), address, 'Bitcoin', (SELECT id FROM address_keys), place - 1
     FROM unnest($1::text[]) WITH ORDINALITY AS derived (address, place)`,
    [addresses],
  )
  const receivers = new Map()
  const look = async () => {
    const { state, words } = await pollNode(db, {
      settings,
      node: openNode(settings),
      pricing: config,
      keys: context.keys,
      receivers,
    })
    if (state !== 'FINE') throw new Error(`the play node is ${state}: ${words}`)
  }
  return { context, by, addresses, look, pool }
}
type BenchPool = Awaited<ReturnType<typeof openPool>>

/** Pays each address in each transaction, between 0.001 and 0.05 coins. */
const fund = async ({ ask, mine }: Litecoind, addresses: readonly string[]): Promise<void> => {
  await mine(40)
  for (let sent = 0; sent < TRANSACTIONS; sent += 1) {
    const outputs = addresses.map((address, at) => [
      asItsOwn(address),
      ((1 + ((sent * 31 + at * 17) % 50)) / 1_000).toFixed(8),
    ])
    await ask('sendmany', '', Object.fromEntries(outputs))
    // A pool takes few transactions in a row that spend each other.
    if (sent % 10 === 9) await mine()
  }
  await mine(2)
}

const approved = async ({ context, by }: BenchPool): Promise<string[]> => {
  const ids: string[] = []
  for (let number = 1; number <= PAYOUTS; number += 1) {
    const { transactionId } = await requestWithdrawal(context, {
      by: { id: idOf(number), from: 'bench' },
      amount: cents(1_000n),
      destinationAddress: newAddress(),
      networkName: 'Bitcoin',
    })
    await approveWithdrawal(context, { transactionId, userId: idOf(number), by })
    ids.push(transactionId)
  }
  return ids
}

const measure = async (pool: BenchPool): Promise<readonly Figure[]> => {
  const { context, by } = pool
  const { rows } = await pool.pool.query(
    `SELECT count(*)::int AS coins FROM payments WHERE state = 'CONFIRMED'`,
  )
  const asked = {
    kind: 'PAYOUT' as const,
    networkName: 'Bitcoin',
    coin: 'BTC',
    feeRate: FEE_RATE,
    withdrawalIds: await approved(pool),
    loanIds: [],
  }
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const times: number[] = []
  let file = ''
  let inputs = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [seconds, plan] = await timed(() => planBatch(context, asked, by.id))
    if (plan.payouts.length !== PAYOUTS) throw new Error('some withdrawals were left out')
    most = Math.max(most, process.memoryUsage().rss)
    times.push(seconds)
    file = plan.file
    inputs = plan.inputs.length
  }
  const [made, { id }] = await timed(() => makeBatch(context, { asked, by }))
  const [again] = await timed(async () => {
    await giveUpBatch(context, { id, reason: 'Measured', by })
    await makeBatch(context, { asked, by })
  })
  say(`${rows[0]?.coins} coins, ${inputs} inputs, a file of ${file.length} characters`)
  return [
    { name: 'seconds of a preview', value: median(times) },
    { name: 'seconds of making, written', value: made },
    { name: 'seconds of giving up and making again', value: again },
    { name: 'resident memory of previews, MB', value: (most - before) / 1e6, most: 500 },
    { name: 'megabytes of the PSBT in base 64', value: file.length / 1e6 },
    { name: 'inputs', value: inputs },
  ]
}

/** A large batch from the database to its file, with a real node beside. */
export const wholeBatch: Scenario = {
  name: 'wholeBatch',
  title: 'A batch of 200 withdrawals from 10,000 unspent outputs, with database, node and PSBT',
  run: async () => {
    if (!hasLitecoind) throw new Error('this machine has no litecoind')
    const node = await startLitecoind()
    try {
      const stage = await openStage({ people: PAYOUTS })
      try {
        const pool = await openPool(stage, node)
        await pool.look()
        await fund(node, pool.addresses)
        const [reading] = await timed(pool.look)
        return [
          { name: 'seconds of reading 10,000 outputs', value: reading },
          ...(await measure(pool)),
        ]
      } finally {
        await stage.close()
      }
    } finally {
      await node.stop()
    }
  },
}
