import {
  approveBatch,
  batchFile,
  giveUpBatch,
  makeBatch,
  previewBatch,
  readBatch,
} from '@pool/contract/coins/batches'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import {
  approvedWithdrawal,
  PLAIN_KEY,
  PLAY_SAFE,
  setRate,
  startEvmPool,
} from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { codeOf, person } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { followPayouts } from '../payouts/followPayouts.ts'
import { safeHashOf, safeTransactionOf } from './safe.ts'

type Builder = {
  readonly chainId: string
  readonly meta: { readonly createdFromSafeAddress: string }
  readonly transactions: readonly { to: string; value: string; data: string | null }[]
}

describe.skipIf(!hasAnvil)('a batch of an EVM network', () => {
  let pool: Awaited<ReturnType<typeof startEvmPool>>
  beforeAll(async () => {
    pool = await startEvmPool()
  })
  afterAll(() => pool?.close())
  afterAll(() => expectWhole(pool.product))

  const approved = async (dollars: number, address = newAddress('Ethereum')) =>
    (await approvedWithdrawal(pool.product, { dollars, address, networkName: 'Ethereum' })).id
  const payloadOf = (coin: string, withdrawalIds: readonly string[], more: object) => ({
    networkName: 'Ethereum',
    coin,
    withdrawalIds: [...withdrawalIds],
    payer: PLAY_SAFE,
    ...more,
  })
  const make = (coin: string, ids: readonly string[], more: object = {}) =>
    pool.product.call(makeBatch, {
      token: pool.admin.token,
      payload: payloadOf(coin, ids, more),
    })
  const preview = async (coin: string, ids: readonly string[], more: object = {}) =>
    (
      await pool.product.call(previewBatch, {
        token: pool.admin.token,
        payload: payloadOf(coin, ids, more),
      })
    ).body
  const made = async (coin: string, ids: readonly string[], more: object = {}) => {
    const { id, state } = (await make(coin, ids, more)).body
    expect(state).toBe('READY')
    return id
  }
  const fileOf = async (id: string) =>
    (await pool.product.call(batchFile, { token: pool.admin.token, params: { id } })).body.text
  const giveUp = (id: string) =>
    pool.product.call(giveUpBatch, {
      token: pool.admin.token,
      params: { id },
      payload: { reason: 'A test' },
    })
  const read = async (id: string) =>
    (await pool.product.call(readBatch, { token: pool.admin.token, params: { id } })).body
  const callsIn = (text: string) =>
    (JSON.parse(text) as Builder).transactions.map(({ to, value, data }) => ({
      to,
      value: BigInt(value),
      data: data?.slice(2) ?? '',
    }))
  /** Executes a file as the Safe's pages do, under the hash that its owners compared. */
  const execute = (text: string, hash: string | null) =>
    pool.safe.execute(hash ?? '', safeTransactionOf(callsIn(text), pool.multiSend))

  test('is executed by its Safe once, under the shown hash', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum'), newAddress('Ethereum')]
    const ids = await Promise.all(payees.map((payee, at) => approved(100 + at, payee)))
    const { safeHash, nonce, total } = await preview('USDC', ids)
    expect({ nonce, total }).toEqual({ nonce: 0, total: '303' })
    const text = await fileOf(await made('USDC', ids))
    expect(JSON.parse(text)).toMatchObject({
      version: '1.0',
      chainId: '31337',
      meta: { createdFromSafeAddress: PLAY_SAFE },
      transactions: ids.map(() => ({ to: pool.usdc.contract, value: '0', contractMethod: null })),
    })
    // A payee that was changed in the file has another hash.
    const other = newAddress('Ethereum').slice(2).toLowerCase()
    const swapped = text.replace((payees[1] ?? '').slice(2).toLowerCase(), other)
    expect(swapped).not.toBe(text)
    await expect(execute(swapped, safeHash)).rejects.toThrow(/refused/)
    await execute(text, safeHash)
    for (const [at, payee] of payees.entries())
      expect(await pool.balanceOf(payee, 'USDC')).toBe(BigInt(100 + at) * 1_000_000n)
    await expect(execute(text, safeHash)).rejects.toThrow(/refused/)
    for (const [at, payee] of payees.entries())
      expect(await pool.balanceOf(payee, 'USDC')).toBe(BigInt(100 + at) * 1_000_000n)
    await pool.look()
  })

  test('pays one receiver in the network’s own coin', async () => {
    const payee = newAddress('Ethereum')
    const ids = [await approved(200, payee)]
    const { safeHash, nonce } = await preview('ETH', ids)
    expect(nonce).toBe(1)
    const id = await made('ETH', ids)
    const text = await fileOf(id)
    expect(JSON.parse(text).transactions).toEqual([
      {
        to: payee,
        value: '100000000000000000',
        data: null,
        contractMethod: null,
        contractInputsValues: null,
      },
    ])
    await execute(text, safeHash)
    expect(await pool.balanceOf(payee, 'ETH')).toBe(100_000_000_000_000_000n)
    // Its number is used, and no log shows for what.
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await pool.look()
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
  })

  test('has a number of its own, which frees with it', async () => {
    const [first, second] = [await approved(50), await approved(60)]
    const one = await made('USDC', [first])
    const shown = await preview('USDC', [second])
    expect(shown.nonce).toBe(3)
    const [oldText, oldHash] = [await fileOf(one), (await preview('USDC', [])).safeHash]
    expect(oldHash).toBeUndefined()
    const other = await made('USDC', [second])
    expect((await giveUp(other)).status).toBe(200)
    expect((await giveUp(one)).status).toBe(200)
    // Another file of the same number excludes the earlier one.
    const again = await preview('USDC', [first])
    expect(again.nonce).toBe(2)
    // That of the second withdrawal had the number 3, and could follow this one.
    expect((await preview('USDC', [first, second])).leftOut).toEqual([
      { withdrawalId: second, loanId: null, why: 'earlierBatch' },
    ])
    const last = await made('USDC', [first])
    await execute(await fileOf(last), again.safeHash)
    await expect(execute(oldText, again.safeHash)).rejects.toThrow(/refused/)
    await pool.look()
    expect((await preview('USDC', [second])).nonce).toBe(3)
  })

  // Each leaves the number of the given-up batch free.
  test.each(['under the number before', 'by a plain key'])(
    'is not overtaken by one paid %s',
    async (how) => {
      const [first, payee] = [await approved(41), newAddress('Ethereum')]
      const holding = await made('USDC', [await approved(42)])
      const old = await made('USDC', [first])
      expect((await giveUp(old)).status).toBe(200)
      const next = await made('USDC', [await approved(43, payee)])
      const { nonce } = await read(next)
      expect(nonce).toBe((await read(old)).nonce)
      if (how === 'by a plain key') await pool.usdc.send(payee, 43_000_000n, { from: PLAIN_KEY })
      else {
        const text = await fileOf(next)
        const called = safeTransactionOf(callsIn(text), pool.multiSend)
        const before = { chainId: 31_337, safe: PLAY_SAFE, nonce: Number(nonce) - 1 }
        await execute(text, safeHashOf(called, before))
      }
      await pool.look()
      const { product, settings } = pool
      await followPayouts(product.context, { settings, node: openNode(settings) })
      expect((await read(next)).state).toBe('COMPLETED')
      expect((await preview('USDC', [first, await approved(44)])).leftOut).toEqual([
        { withdrawalId: first, loanId: null, why: 'earlierBatch' },
      ])
      expect((await giveUp(holding)).status).toBe(200)
    },
    60_000,
  )

  test('is refused once an owner froze the account', async () => {
    const asked = { dollars: 35, address: newAddress('Ethereum'), networkName: 'Ethereum' }
    const { id: withdrawal, owner } = await approvedWithdrawal(pool.product, asked)
    const id = await made('USDC', [withdrawal])
    const freeze = (at: string) =>
      pool.product.database.superuser.query(
        `UPDATE users SET frozen_at = ${at}, frozen_since = ${at} WHERE id = $1`,
        [owner.id],
      )
    const take = () => pool.product.call(batchFile, { token: pool.admin.token, params: { id } })
    await freeze('now()')
    expect(codeOf(await take())).toBe('batchLeavesOut')
    await freeze('NULL')
    expect((await take()).status).toBe(200)
    expect((await giveUp(id)).status).toBe(200)
  })

  test.each([
    ['names no address of the pool', { payer: PLAIN_KEY }, 'noPayer'],
    ['has a Safe without coins', { coin: 'ETH', dollars: 900_000 }, 'tooLittle'],
  ])(
    'is refused where it %s',
    async (_, {
      coin = 'USDC',
      dollars = 10,
      ...more
    }: { coin?: string; dollars?: number; payer?: string }, problem) => {
      expect((await make(coin, [await approved(dollars)], more)).body).toMatchObject({
        code: 'batchImpossible',
        details: { problem },
      })
    },
  )

  test('leaves out a payee that would stop all others', async () => {
    const payee = newAddress('Ethereum')
    await pool.look()
    // A token takes no coins of the network.
    const [good, bad] = [await approved(20, payee), await approved(20, pool.usdc.contract)]
    const refused = { withdrawalId: bad, loanId: null, why: 'refused' }
    for (const more of [{}, { format: 'CSV', payer: PLAIN_KEY }])
      expect(await preview('ETH', [good, bad], more)).toMatchObject({
        payouts: [{ withdrawalId: good }],
        leftOut: [refused],
      })
    expect(codeOf(await make('ETH', [good, bad]))).toBe('batchLeavesOut')
    expect(codeOf(await make('ETH', [bad]))).toBe('batchImpossible')
    await giveUp(await made('ETH', [good]))
    // In one file with it the Safe pays no one, and without it the other one.
    const { chainId } = pool.settings
    const number = { to: PLAY_SAFE, data: '0xaffed0e0' }
    const nonce = Number(await pool.anvil.ask<string>('eth_call', number, 'latest'))
    const pay = (...payees: readonly string[]) => {
      const calls = payees.map((to) => ({ to, value: 1n, data: '' }))
      const transaction = safeTransactionOf(calls, pool.multiSend)
      const hash = safeHashOf(transaction, { chainId, safe: PLAY_SAFE, nonce })
      return pool.safe.execute(hash, transaction)
    }
    await expect(pay(payee, pool.usdc.contract)).rejects.toThrow(/refused/)
    await pay(payee, newAddress('Ethereum'))
    expect(await pool.balanceOf(payee, 'ETH')).toBe(1n)
  })

  test('is refused where its Safe is none', async () => {
    await pool.anvil.ask('anvil_setCode', PLAY_SAFE, '0x')
    try {
      expect((await make('USDC', [await approved(10)])).body).toMatchObject({
        details: { problem: 'noSafe' },
      })
    } finally {
      await pool.anvil.ask('anvil_setCode', PLAY_SAFE, '0x00')
    }
  })

  test('is a CSV for a plain key', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const asked = { dollars: 70, address: payees[0] ?? '', networkName: 'Ethereum' }
    const { id: first, owner } = await approvedWithdrawal(pool.product, asked)
    const ids = [first, await approved(80, payees[1])]
    const id = await made('USDC', ids, { format: 'CSV', payer: PLAIN_KEY })
    expect(await fileOf(id)).toBe(
      `token_type,token_address,receiver,amount\r\nerc20,${pool.usdc.contract},${payees[0]},70\r\nerc20,${pool.usdc.contract},${payees[1]},80\r\n`,
    )
    const batchesOf = async (token: string) =>
      (
        await pool.product.call(listTransactions, {
          token,
          query: { ids: ids.join(), limit: '10' },
        })
      ).body.map(({ batchId }) => batchId)
    expect(await batchesOf(pool.admin.token)).toEqual([id, id])
    expect(await batchesOf(owner.token)).toEqual([undefined])
    expect((await giveUp(id)).status).toBe(200)
    expect(await batchesOf(pool.admin.token)).toEqual([undefined, undefined])
  })

  test('is named by the audit where no entry explains it', async () => {
    const [payee, other] = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await made('USDC', [await approved(60, payee)], {
      format: 'CSV',
      payer: PLAIN_KEY,
    })
    const findings = async () =>
      (await checkRowsAgainstTrail(pool.product.context.db)).findings.filter((each) =>
        each.includes(id),
      )
    expect(await findings()).toEqual([])
    const [forged, second] = [newId(), await person(pool.product, ['ADMIN'])]
    const making = 'no entry of its making with that file and those coins'
    const { database, context } = pool.product
    const faults: readonly (readonly [string, string, RegExp])[] = [
      [
        `UPDATE batch_payouts SET address = '${other}' WHERE batch_id = '${id}'`,
        `UPDATE batch_payouts SET address = '${payee}' WHERE batch_id = '${id}'`,
        /to another address than was approved/,
      ],
      [
        `UPDATE batch_payouts SET units = units + 1 WHERE batch_id = '${id}'`,
        `UPDATE batch_payouts SET units = units - 1 WHERE batch_id = '${id}'`,
        new RegExp(making),
      ],
      [
        `UPDATE batches SET file = file || ' ' WHERE id = '${id}'`,
        `UPDATE batches SET file = rtrim(file, ' ') WHERE id = '${id}'`,
        /not the one of its digest/,
      ],
      [
        `UPDATE batches SET approved_by = '${second.id}', approved_at = now() WHERE id = '${id}'`,
        `UPDATE batches SET approved_by = NULL, approved_at = NULL WHERE id = '${id}'`,
        /no entry of a second person approves it/,
      ],
    ]
    for (const [fault, mended, sentence] of faults) {
      await tamper(database, fault)
      expect(await findings()).toContainEqual(expect.stringMatching(sentence))
      await tamper(database, mended)
      expect(await findings()).toEqual([])
    }
    // A writer with the product's role makes one that is ready.
    await database.pool.query(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
       SELECT '${forged}', network_name, asset, decimals, kind, 'CSV', 'READY', payer, dollars, rate_at, 'forged', digest, made_by
       FROM batches WHERE id = '${id}'`,
    )
    const { findings: named } = await checkRowsAgainstTrail(context.db)
    expect(named).toContain(`Batch ${forged} has ${making}.`)
    await tamper(database, `DELETE FROM batches WHERE id = '${forged}'`)
  })

  test('has the coins of its entry to the last unit', async () => {
    // 2.500787748… ETH have 18 decimals.
    await setRate(pool.product, 'ETH', '1999.37')
    const options = { format: 'CSV', payer: PLAIN_KEY }
    const id = await made('ETH', [await approved(5_000)], options)
    const { findings } = await checkRowsAgainstTrail(pool.product.context.db)
    expect(findings.filter((each) => each.includes(id))).toEqual([])
    expect((await giveUp(id)).status).toBe(200)
    await setRate(pool.product, 'ETH', '2000')
  })

  test('collects coins with the gas that each address needs', async () => {
    const from = [newAddress('Ethereum'), newAddress('Ethereum')]
    for (const address of from)
      await addWallet(
        pool.product.context,
        { address, networkName: 'Ethereum' },
        { name: 'tests', from: 'tests' },
      )
    await pool.look()
    await pool.usdc.send(from[0] ?? '', 5_000_000n)
    await pool.usdc.send(from[1] ?? '', 7_000_000n)
    await pool.anvil.pay(from[1] ?? '', 10n ** 18n)
    await pool.anvil.pay(from[0] ?? '', 10n ** 9n)
    await pool.look()
    // Addresses that were collected long ago had more, and have nothing.
    const emptied = `WITH emptied AS (INSERT INTO wallets (id, address, network_name)
      SELECT new_id(), '0x' || left(md5(n::text) || md5('b' || n), 40), 'Ethereum' FROM generate_series(1, 2000) AS n RETURNING address)
      INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash)
      SELECT new_id(), 'Ethereum', address, 0, address, 'USDC', 9000000, 6, 'CONFIRMED', 1, 'emptied' FROM emptied`
    await tamper(pool.product.database, emptied)
    const answer = await make('USDC', [], { kind: 'COLLECTION', target: PLAIN_KEY })
    await tamper(
      pool.product.database,
      `DELETE FROM wallets WHERE address IN (SELECT address FROM payments WHERE block_hash = 'emptied');
       DELETE FROM payments WHERE block_hash = 'emptied'`,
    )
    const { id, digest, state } = answer.body
    if (state === 'WAITING') {
      const other = await person(pool.product, ['ADMIN'])
      const call = { token: other.token, params: { id }, payload: { digest } }
      expect((await pool.product.call(approveBatch, call)).status).toBe(200)
    }
    const lines = (await fileOf(id))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(lines[0]).toEqual(['from', 'to', 'token_address', 'amount', 'gas', 'lacks'])
    // The largest first. The second address has too little for gas.
    expect(lines.slice(1).map(([source, target, , amount]) => [source, target, amount])).toEqual([
      [from[1], PLAIN_KEY, '7'],
      [from[0], PLAIN_KEY, '5'],
    ])
    expect(lines[1]?.[5]).toBe('0')
    expect(Number(lines[2]?.[5])).toBeCloseTo(Number(lines[2]?.[4]) - 10 ** -9, 12)
    // The same coins are in one file at a time.
    expect(codeOf(await make('USDC', [], { kind: 'COLLECTION', target: PLAIN_KEY }))).toBe(
      'batchImpossible',
    )
  })

  test('records why older withdrawals are not in it', async () => {
    const csv = { format: 'CSV', payer: PLAIN_KEY }
    const older = await approved(20)
    // Another network's holds nothing up.
    await approvedWithdrawal(pool.product, {
      dollars: 20,
      address: newAddress('Bitcoin'),
      networkName: 'Bitcoin',
    })
    const [newer, last] = [await approved(20), await approved(20)]
    const passedOver = async (...ids: string[]) => (await preview('ETH', ids, csv)).passedOver
    // Those of other tests.
    const before = await passedOver(older)
    expect(await passedOver(older, newer)).toBe(before)
    expect(await passedOver(newer)).toBe(before + 1)
    const onRecord = async (id: string) =>
      (
        await pool.product.database.superuser.query(
          "SELECT after->'passedOver' AS count, after->'withoutReason' AS bare, reason FROM audit_entries WHERE subject_id = $1 AND action = 'batch.made'",
          [id],
        )
      ).rows[0]
    const why = { ...csv, outOfOrderReason: 'The older one asked us to wait' }
    expect(await onRecord(await made('ETH', [newer], why))).toEqual({
      count: before + 1,
      bare: null,
      reason: why.outOfOrderReason,
    })
    expect(await onRecord(await made('ETH', [last], csv))).toEqual({
      count: before + 1,
      bare: true,
      reason: null,
    })
    expect(await passedOver(older)).toBe(before)
  })
})
