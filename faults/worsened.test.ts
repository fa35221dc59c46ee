import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import type { Pool, QueryConfig } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { violatedConstraint } from '../server/base/db/errors.ts'
import { openLedger } from '../server/ledger/engine/ledger.ts'
import { postGroup } from '../server/ledger/engine/postGroup.ts'
import {
  requestWithdrawal,
  type WithdrawalRequest,
} from '../server/requests/transactions/requestWithdrawal.ts'
import {
  fund,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
} from '../server/testing/product.ts'
import { FULL } from '../server/testing/rounds.ts'
import { tamper } from '../server/testing/tamper.ts'
import { fundsOf } from './balances.ts'
import { brokenInvariants } from './invariants.ts'
import type { Operation, Person as Planned } from './plan.ts'
import { startLoad, startWatch, urlTo } from './processes.ts'
import { contradictions, readOperations } from './verify.ts'

/**
 * Negative controls: the product is made worse in its own database or on its connections, and the
 * judge must notice under real load or races.
 */

let product: Product
let directory: string
beforeEach(async () => {
  product = await startProduct({
    SECOND_APPROVAL_ABOVE: '10000000',
    POOL_SECOND_APPROVAL_ABOVE: '1000000000',
  })
  directory = mkdtempSync(join(tmpdir(), 'pool-worse-'))
})
afterEach(async () => {
  await product.close()
  rmSync(directory, { recursive: true, force: true })
})

type Worsening = () => Promise<unknown>

/** Runs statements as the owner of the database. */
const statement = (text: string) => () => tamper(product.database, text)

/** Replaces a part of a function of the database. Fails when the part is gone. */
const replacing =
  (name: string, part: string, worse: string): Worsening =>
  async () => {
    const { rows } = await product.database.pool.query(
      'SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = $1',
      [name],
    )
    const text: string = rows[0]?.text ?? ''
    if (!text.includes(part)) throw new Error(`${name} has no '${part}': mend this control.`)
    await tamper(
      product.database,
      text.replace(part, () => worse),
    )
  }

/** The first balance of each investor. */
const FUNDS = cents(9_000_00n)

type Course = {
  readonly repeatAll?: boolean
  /** The end of the load: certain states of transactions, and acknowledged kinds of operations. */
  readonly until?: string
  readonly done?: readonly Operation['kind'][]
}

/**
 * Makes the product worse and puts load on it until enough has happened. Returns the findings of
 * the judge and of the watcher.
 */
const judgedUnderLoad = async (
  worsen: Worsening,
  { repeatAll = false, until = "status = 'REJECTED'", done = [] }: Course = {},
) => {
  await product.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = product.app.server.address() as AddressInfo
  const planned = ({ id: userId, email: username, token }: Person): Planned => ({
    userId,
    username,
    password: PASSWORD,
    token,
  })
  const investors = await Promise.all(Array.from({ length: 4 }, () => person(product)))
  for (const investor of investors) await fund(product, investor, FUNDS)
  const [leaver, deputy, ...people] = investors.map(planned)
  if (!leaver || !deputy) throw new Error('The load needs two investors.')
  const database = urlTo(product.database)
  const plan = {
    urls: [`http://127.0.0.1:${port}`],
    file: join(directory, 'operations'),
    seed: 1,
    people,
    admin: planned(await person(product, ['SUPER_ADMIN'])),
    leaver,
    deputy,
    database,
    dataDir: directory,
    repeatAll,
    // Unanswered calls of the worse product stay unknown.
    retryForMs: 0,
  }
  await worsen()
  const load = startLoad(plan)
  const watch = startWatch({ database, file: join(directory, 'looks') })
  try {
    const happened = async () =>
      (await product.database.pool.query(`SELECT FROM transactions WHERE ${until}`)).rowCount
    await expect.poll(happened, { timeout: 300_000, interval: 50 }).toBeGreaterThan(0)
    await load.hasDone(done)
    await watch.sees()
    await load.stop()
    await watch.stop()
  } finally {
    load.kill()
    watch.kill()
  }
  return {
    judge: await contradictions(readOperations(plan.file), product.database, fundsOf(plan, FUNDS)),
    meanwhile: watch.all().flatMap(({ found = [] }) => found),
  }
}

type Control = Course & {
  readonly worsen: Worsening
  readonly judge: RegExp
  /** The watcher's finding, when one look shows it. */
  readonly meanwhile?: RegExp
  /** Runs with FAULTS=full. Another control of the same finding is in every run. */
  readonly onlyFull?: true
}

/** A trigger function that leaves out the row. */
const LEAVE_OUT =
  "CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"

const controls: Readonly<Record<string, Control>> = {
  'balances that ignore the transfers': {
    worsen: statement('DROP TRIGGER movements_change_balances ON movements'),
    until: "type = 'withdrawal'",
    judge: /^Account \d+ \(.+\) has the balance .+, but its transfers come to/,
    meanwhile: /^Account \d+ \(.+\) has the balance .+, but its transfers come to/,
  },
  'a stray second leg': {
    onlyFull: true,
    worsen: statement(`
      CREATE FUNCTION stray() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
        SELECT 'withdrawal_completed', reference_id, to_account_id, from_account_id, 1 FROM come WHERE name = 'deposit_confirmed';
        RETURN NULL;
      END $$;
      CREATE TRIGGER z_last AFTER INSERT ON movements REFERENCING NEW TABLE AS come FOR EACH STATEMENT
      WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION stray()`),
    until: "type = 'deposit' AND status = 'APPROVED' AND amount = 1000",
    judge:
      /^The transaction .+ does not match its transfers: .*withdrawal_completed 1 from available of/,
    meanwhile:
      /^The transaction .+ does not match its transfers: .*withdrawal_completed 1 from available of/,
  },
  'idempotency keys that are not kept': {
    worsen: statement(`
      ${LEAVE_OUT};
      CREATE TRIGGER a_first BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION leave_out()`),
    judge: /was acknowledged and is there [2-9] times$/,
    repeatAll: true,
    until: "type = 'withdrawal'",
  },
  'a rejection that keeps the hold': {
    worsen: statement(`
      ${LEAVE_OUT};
      CREATE TRIGGER a_first BEFORE INSERT ON movements FOR EACH ROW WHEN (NEW.name = 'withdrawal_released') EXECUTE FUNCTION leave_out()`),
    judge: /^The transaction .+ REJECTED does not match its transfers: withdrawal_held/,
    meanwhile: /^The transaction .+ REJECTED does not match its transfers: withdrawal_held/,
  },
  'a release that no balance follows': {
    onlyFull: true,
    worsen: replacing(
      'apply_movements',
      '(to_account_id, posted.amount)',
      "(to_account_id, CASE WHEN name = 'withdrawal_released' THEN 0 ELSE posted.amount END)",
    ),
    judge: /^Account \d+ \(available of .+\) has the balance .+, but its transfers come to/,
    meanwhile: /^Account \d+ \(available of .+\) has the balance .+, but its transfers come to/,
  },
  'decisions without an audit entry': {
    worsen: statement(`
      ${LEAVE_OUT};
      CREATE TRIGGER a_first BEFORE INSERT ON audit_entries FOR EACH ROW WHEN (NEW.action = 'withdrawal.approved') EXECUTE FUNCTION leave_out()`),
    until: "type = 'withdrawal' AND status = 'APPROVED'",
    judge: /^transaction .+ is APPROVED by .+, and 0 entries say so$/,
    meanwhile: /^transaction .+ is APPROVED by .+, and 0 entries say so$/,
  },
  'sessions that outlive their end': {
    worsen: statement(`
      CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN INSERT INTO sessions SELECT OLD.*; RETURN NULL; END';
      CREATE TRIGGER z_last AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION keep()`),
    done: ['logout'],
    judge: /^withdrawal .+ was acknowledged though its session had ended before it was sent$/,
  },
}

const LIMIT = { timeout: 600_000 }

describe('under load', LIMIT, () => {
  const run = Object.entries(controls).filter(([, { onlyFull }]) => FULL || !onlyFull)

  test.each(run)('the judge notices %s', async (_, { worsen, judge, meanwhile, ...course }) => {
    const found = await judgedUnderLoad(worsen, course)
    expect(found.judge).toContainEqual(expect.stringMatching(judge))
    if (meanwhile) expect(found.meanwhile).toContainEqual(expect.stringMatching(meanwhile))
  })

  test('an unchanged product has no findings under load', async () => {
    const nothing = async () => undefined
    expect(await judgedUnderLoad(nothing, { done: ['logout', 'investment'] })).toEqual({
      judge: [],
      meanwhile: [],
    })
  })
})

/** The number of concurrent groups, each on its own connection. */
const GROUPS = 8

type Gate = { readonly arrive: () => void; readonly opened: Promise<void> }

/** A pool whose groups read their facts, the answers to keys last, and then wait at a gate. */
const gated = (pool: Pool, { arrive, opened }: Gate): Pool =>
  Object.assign(Object.create(pool), {
    connect: async () => {
      const client = await pool.connect()
      const query = async (asked: string | QueryConfig) => {
        if (typeof asked === 'string' || asked.name !== 'read_answers') return client.query(asked)
        const answer = await client.query(asked)
        arrive()
        await opened
        return answer
      }
      return Object.assign(Object.create(client), { query })
    },
  })

/**
 * Holds each group at its read facts until all are there, then lets all pay. Returns the answers,
 * sorted: success, or the rule or constraint.
 */
const race = async (request: WithdrawalRequest) => {
  const { pool } = product.database
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  let arrived = 0
  const arrive = () => {
    arrived += 1
  }
  const door = gated(pool, { arrive, opened })
  const asked = Promise.allSettled(
    Array.from({ length: GROUPS }, () => {
      const ledger = openLedger(pool, { post: (operations) => postGroup(door, operations) })
      return requestWithdrawal({ ...product.context, ledger }, request)
    }),
  )
  try {
    await vi.waitFor(() => expect(arrived).toBe(GROUPS), { timeout: 60_000, interval: 20 })
  } finally {
    open()
  }
  const answers = (await asked).map((answer) =>
    answer.status === 'fulfilled' ? 'held' : named(answer.reason),
  )
  return answers.toSorted()
}

const withdrawalOf = ({ id }: Person): WithdrawalRequest => ({
  by: { id, from: 'tests' },
  amount: cents(10_00n),
})

const named = (reason: unknown): string =>
  reason instanceof Refusal ? reason.code : (violatedConstraint(reason) ?? String(reason))

/** One group's response, and the same response of all others. */
const first = (one: string, others: string) =>
  [one, ...Array.from({ length: GROUPS - 1 }, () => others)].sort()

const unchecked = statement('ALTER TABLE accounts DROP CONSTRAINT accounts_balance_not_negative')

describe(`${GROUPS} groups race for the money of one`, () => {
  let investor: Person
  beforeEach(async () => {
    investor = await person(product)
    await fund(product, investor, cents(10_00n))
  })

  test('one group wins because of the check', async () => {
    expect(await race(withdrawalOf(investor))).toEqual(first('held', 'insufficientFunds'))
    expect(await brokenInvariants(product.database)).toEqual([])
  })

  test('all groups win without it, and the judge notices', async () => {
    await unchecked()
    expect(await race(withdrawalOf(investor))).toEqual(first('held', 'held'))
    expect(await brokenInvariants(product.database)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^account \\d+ \\(available of ${investor.id}\\) is below zero: -${10_00 * (GROUPS - 1)}$`,
        ),
      ),
    ])
  })
})

describe(`${GROUPS} groups race under one idempotency key`, () => {
  const key = 'the same'
  const told = {
    kind: 'withdrawal',
    key,
    outcome: 'acknowledged',
    wasUnknown: false,
    at: 0,
  } as const
  const allHeld = first('held', 'held')
  let request: WithdrawalRequest
  beforeEach(async () => {
    const investor = await person(product)
    await fund(product, investor, cents(10_00n * BigInt(GROUPS)))
    request = {
      ...withdrawalOf(investor),
      description: key,
      idempotency: { actorId: investor.id, key, requestHash: 'the same' },
    }
  })

  test('one group is posted because keys are unique', async () => {
    expect(await race(request)).toEqual(allHeld)
    expect(await contradictions([told], product.database)).toEqual([])
  })

  test('all are posted without, and the judge notices', async () => {
    await statement('ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey')()
    expect(await race(request)).toEqual(allHeld)
    expect(await contradictions([told], product.database)).toEqual([
      `withdrawal ${key} was acknowledged and is there ${GROUPS} times`,
    ])
  })
})
