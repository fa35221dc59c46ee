import { type FactorAnswer, proveFactor } from '@pool/contract/accounts/factors'
import { changePassword, currentUser } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { listWallets } from '@pool/contract/chain/wallets'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { withdraw } from '@pool/contract/requests/requests'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openLog } from '../../base/process/log.ts'
import { openSessionLookup } from '../../base/sessions/lookup.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { buildApp } from '../../operator/app.ts'
import { newAddress } from '../../testing/addresses.ts'
import type { App } from '../../testing/authenticator.ts'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import { LIVE } from '../../testing/live.ts'
import {
  balanceOf,
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'

const all: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints)
const marked = all.filter(([, { stepUp }]) => stepUp)

let product: Product
let investor: Person
let app: App & { readonly recoveryCodes: readonly string[] }
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.close())
beforeEach(async () => {
  investor = await investorWith(product, 100)
  app = await addApp(product, investor)
})

const prove = (answer: FactorAnswer, { token } = investor) =>
  product.call(proveFactor, { token, payload: answer })
const ask = (key?: string, { id, token } = investor) =>
  product.call(withdraw, {
    token,
    payload: { userId: id, amount: 10 },
    ...(key !== undefined && { key }),
  })
const needed = { status: 403, body: { code: 'factorNeeded', details: { kinds: ['TOTP'] } } }

test('decisions, wallets, pauses and changes of accounts step up', () => {
  expect(marked.map(([name]) => name).sort()).toEqual([
    'addBorrowerDocument',
    'addCollateral',
    'addKey',
    'addLoanDocument',
    'approve',
    'approveBatch',
    'approveProposal',
    'approveWaiting',
    'archiveWallet',
    'askDefault',
    'askDisbursement',
    'askLoanApproval',
    'askLoanWriteOff',
    'askProposal',
    'askRecovery',
    'askRelease',
    'askRestructuring',
    'askSending',
    'beginPasskey',
    'beginTotp',
    'changeEmail',
    'changePassword',
    'closeAccount',
    'closeLoan',
    'confirm',
    'confirmPasskey',
    'confirmTotp',
    'correctBorrower',
    'createWallet',
    'createWallets',
    'declineProposal',
    'declineWaiting',
    'deleteWallet',
    'endKey',
    'exportOwnData',
    'giveUpBatch',
    'importLoanFile',
    'makeBatch',
    'makeReadingKey',
    'markCompleted',
    'markSent',
    'pause',
    'recordBorrower',
    'recordLoan',
    'recountLoan',
    'reject',
    'rejectByPayload',
    'rejectByPut',
    'rejectDeposit',
    'removeFactor',
    'renameFactor',
    'renewRecoveryCodes',
    'repayLoan',
    'restoreWallet',
    'resume',
    'reverseRepayment',
    'savePayoutAddress',
    'sendSigned',
    'setRate',
    'settleAlarm',
    'settleUnseen',
    'withdraw',
    'withdrawCollateral',
    'withdrawDocument',
    'writeUpdate',
  ])
})

test('writing calls of staff step up or give reasons', () => {
  const ofStaff = all.filter(
    ([, { method, access }]) => method !== 'GET' && (access === 'staff' || access === 'superAdmin'),
  )
  const reasons = ofStaff.filter(([, { stepUp }]) => !stepUp)
  expect(reasons.map(([name]) => name).sort()).toEqual([
    'addNote',
    'checkMaturities',
    'compareSigned',
    'previewBatch',
    'readKey',
    'resendMail',
    'saveMorningMail',
    'withdrawalOrder',
  ])
  for (const [, { withoutStepUp }] of reasons) expect(withoutStepUp).toMatch(/^[A-Z].{20,}\.$/)
  const call = { method: 'POST', access: 'staff', path: '/', summary: '', body: z.null() } as const
  // @ts-expect-error: it has neither.
  const bare: Endpoint = call
  const proven: Endpoint = { ...call, stepUp: true }
  const argued: Endpoint = { ...call, withoutStepUp: 'A reason.' }
  expect([bare, proven, argued]).toHaveLength(3)
})

describe('a call that steps up', () => {
  test.each(marked)('is refused without a recent factor: %s', async (_, endpoint) => {
    const boss = await person(product, ['SUPER_ADMIN'])
    await addApp(product, boss)
    const id = crypto.randomUUID()
    const call = { token: boss.token, params: { id, name: 'deposits' }, payload: {} }
    await letFactorAge(product, boss, '240 seconds')
    expect((await product.call(endpoint, call)).body).not.toMatchObject({ code: 'factorNeeded' })
    await letFactorAge(product, boss, '60 seconds')
    // Another token, since a call above may have cached the session.
    const { rows } = await product.database.pool.query(
      'SELECT factor_at FROM sessions WHERE user_id = $1',
      [boss.id],
    )
    const token = await startSession(product.context, boss.id, {
      factorAt: rows[0].factor_at,
    })
    expect(await product.call(endpoint, { ...call, token })).toMatchObject(needed)
  })

  test('leaves its key free and no trace', async () => {
    const later = { ...investor, token: await startSession(product.context, investor.id) }
    expect(await ask('one-key', later)).toMatchObject(needed)
    expect((await prove({ kind: 'TOTP', code: app.code() }, later)).status).toBe(200)
    expect((await ask('one-key', later)).status).toBe(200)
    expect((await ask('one-key', later)).status).toBe(200)
    expect(await balanceOf(product, investor)).toBe(90)
  })

  test('takes a recovery code, and refuses a wrong one', async () => {
    const wrong = await prove({ kind: 'RECOVERY_CODE', code: 'AAAA-AAAA-AAAA-AAAA' })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'factorWrong' } })
    const later = { ...investor, token: await startSession(product.context, investor.id) }
    expect(await ask(undefined, later)).toMatchObject(needed)
    const [code = ''] = app.recoveryCodes
    expect((await prove({ kind: 'RECOVERY_CODE', code }, later)).status).toBe(200)
    expect((await ask(undefined, later)).status).toBe(200)
  })

  test('asks each session for its own factor', async () => {
    const token = await startSession(product.context, investor.id)
    expect(await ask(undefined, { ...investor, token })).toMatchObject(needed)
    expect((await ask()).status).toBe(200)
  })

  test('asks nobody without factors', async () => {
    const plain = await investorWith(product, 100)
    expect((await ask(undefined, plain)).status).toBe(200)
    const payload = { address: newAddress(), networkName: 'Bitcoin' }
    const saved = await product.call(savePayoutAddress, { token: plain.token, payload })
    expect(saved.status).toBe(200)
  })

  test('keeps the factor through a changed password', async () => {
    const payload = { password: PASSWORD, newPassword: 'a quieter horse battery' }
    const { body } = await product.call(changePassword, { token: investor.token, payload })
    const token = body.token
    expect((await ask(undefined, { ...investor, token })).status).toBe(200)
    await letFactorAge(product, investor, '5 minutes')
    const later = await startSession(product.context, investor.id)
    expect(await ask(undefined, { ...investor, token: later })).toMatchObject(needed)
  })
})

describe('with sessions cached by two nodes', () => {
  let other: FastifyInstance
  beforeAll(async () => {
    const { context, database } = product
    const node = {
      ledger: openLedger(database.pool),
      sessions: openSessionLookup(database.pool, context.keys),
    }
    other = await buildApp({ ...context, ...node }, openLog('silent'))
  })
  afterAll(() => other.close())

  const askThere = async ({ id, token }: Person): Promise<number> =>
    (
      await other.inject({
        method: 'POST',
        url: withdraw.path,
        headers: { authorization: `Bearer ${token}` },
        payload: { userId: id, amount: 10 },
      })
    ).statusCode

  test('a first factor shuts out sessions without it', async () => {
    const plain = await investorWith(product, 100)
    const stolen = { ...plain, token: await startSession(product.context, plain.id) }
    expect(await askThere(stolen)).toBe(200)
    await addApp(product, plain)
    // The node still has the session from before the factor in its cache.
    expect(await askThere(stolen)).toBe(401)
    expect(await askThere(plain)).toBe(200)
  })

  test('a factor proven on one node serves on another', async () => {
    const token = await startSession(product.context, investor.id)
    expect(await askThere({ ...investor, token })).toBe(403)
    await prove({ kind: 'TOTP', code: app.code() }, { ...investor, token })
    expect(await askThere({ ...investor, token })).toBe(200)
  })

  test('a cached factor still runs out', async () => {
    await letFactorAge(product, investor, '299.4 seconds')
    const token = await (async () => {
      const { rows } = await product.database.pool.query(
        'SELECT factor_at FROM sessions WHERE user_id = $1',
        [investor.id],
      )
      return startSession(product.context, investor.id, {
        factorAt: rows[0].factor_at,
      })
    })()
    expect(await askThere({ ...investor, token })).toBe(200)
    await expect.poll(() => askThere({ ...investor, token })).toBe(403)
  })
})

describe('live mode', () => {
  let live: Product
  beforeAll(async () => {
    live = await startProduct(LIVE)
  })
  afterAll(() => live.close())

  test('lets staff without a factor only enrol', async () => {
    const boss = await person(live, ['SUPER_ADMIN'])
    await live.database.superuser.query('DELETE FROM factors WHERE user_id = $1', [boss.id])
    const token = () => startSession(live.context, boss.id)
    const params = { id: crypto.randomUUID(), userId: boss.id, name: 'deposits' }
    const open: string[] = []
    for (const [name, endpoint] of all) {
      if (endpoint.access === 'public') continue
      const answer = await live.call(endpoint, { token: await token(), params })
      if ((answer.body as { code?: string } | null)?.code !== 'enrolFactor') open.push(name)
    }
    expect(open.sort()).toEqual([
      'beginPasskey',
      'beginTotp',
      'confirmPasskey',
      'confirmTotp',
      'currentUser',
      'listFactors',
      'logout',
      'passkeyOptions',
      'proveFactor',
    ])
    await addApp(live, boss)
    expect((await live.call(listWallets, { token: boss.token })).status).toBe(200)
  })

  test('leaves investors the choice', async () => {
    const plain = await person(live)
    const { status } = await live.call(currentUser, {
      token: plain.token,
      query: { username: plain.email },
    })
    expect(status).toBe(200)
    expect((await live.call(endpoints.depositTerms, { token: plain.token })).status).toBe(200)
  })
})
