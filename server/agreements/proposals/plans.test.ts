import {
  approveProposal,
  askProposal,
  declineProposal,
  listProposals,
} from '@pool/contract/agreements/proposals'
import { defaultPlans } from '@pool/contract/money/plans'
import { listPlans, listPlanVersions } from '@pool/contract/money/planVersions'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { shareSql } from '../../base/locks.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  agreeOnPlan,
  ahead,
  askForPlan,
  askSoon,
  newPlan,
  TERMS,
  twoChiefs,
} from '../../testing/planVersions.ts'
import { codeOf, type Person, type Product, person, startProduct } from '../../testing/product.ts'

let product: Product
let chiefs: readonly [Person, Person]
beforeAll(async () => {
  product = await startProduct()
  chiefs = await twoChiefs(product)
})
afterAll(async () => {
  await expectWhole(product, /./)
  await product.close()
})

const rows = async <Row>(text: string): Promise<Row[]> =>
  (await product.database.superuser.query(text)).rows
const approve = (by: Person, id: string) =>
  product.call(approveProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineProposal, { token: by.token, params: { id } })
const versionsOf = async (days: number) =>
  (await product.call(listPlanVersions, { token: chiefs[0].token })).body.filter(
    ({ durationDays }) => durationDays === days,
  )

test('the first version has the plans of the product', async () => {
  const { status, body } = await product.call(listPlans)
  expect(status).toBe(200)
  expect(body.filter(({ durationDays }) => durationDays < 20)).toMatchObject(
    defaultPlans.map((plan) => ({ ...plan, least: 0.01, most: null, left: null, closed: null })),
  )
  expect(await versionsOf(5)).toMatchObject([{ version: 1, startsAt: null, askedBy: null }])
})

test('a version counts from its moment, by two people', async () => {
  const [asker, approver] = chiefs
  const startsAt = ahead(60_000)
  const id = (await askForPlan(product, asker, { durationDays: 30, startsAt })).body.id
  expect((await product.call(listProposals, { token: approver.token })).body).toMatchObject([
    {
      kind: 'PLAN',
      about: '30 d',
      facts: { days: 30, rate: '12.5%', least: '$50.00', most: '∞', state: 'open' },
    },
  ])
  expect(await versionsOf(30)).toEqual([])
  expect(codeOf(await approve(asker, id))).toBe('ownProposal')
  expect((await approve(approver, id)).status).toBe(200)
  expect(await versionsOf(30)).toMatchObject([
    {
      version: 1,
      state: 'coming',
      askedBy: asker.email,
      approvedBy: approver.email,
      reason: 'For the tests',
      rateBasisPoints: 1_250,
      atWork: 0,
      isOpen: true,
    },
  ])
  expect((await product.call(listPlans)).body.map((plan) => plan.durationDays)).not.toContain(30)
  expect(
    await rows(`SELECT action, actor, after FROM audit_entries WHERE subject_id = '${id}'`),
  ).toEqual([
    {
      action: 'agreement.asked',
      actor: asker.email,
      after: { kind: 'PLAN', agreement: id, ...TERMS, durationDays: 30, startsAt },
    },
    {
      action: 'agreement.approved',
      actor: approver.email,
      after: { kind: 'PLAN', agreement: id, ...TERMS, durationDays: 30, startsAt },
    },
  ])
})

test('a later version replaces the one before it', async () => {
  const first = await newPlan(product, chiefs, { durationDays: 31 })
  const second = await newPlan(product, chiefs, { durationDays: 31, rateBasisPoints: 900 })
  expect(await versionsOf(31)).toMatchObject([
    { id: second, version: 2, state: 'current', rateBasisPoints: 900 },
    { id: first, version: 1, state: 'past', rateBasisPoints: 1_250 },
  ])
})

describe('an ask is refused', () => {
  test.each([
    ['without interest', { rateBasisPoints: 0 }],
    ['with more interest than the principal', { rateBasisPoints: 10_001 }],
    ['with a part of a basis point', { rateBasisPoints: 12.5 }],
    ['with negative interest', { rateBasisPoints: -1 }],
    ['of no days', { durationDays: 0 }],
    ['of half a day', { durationDays: 0.5 }],
    ['of more than five years', { durationDays: 1_826 }],
    ['without a least', { least: 0 }],
    ['with a negative capacity', { capacity: -1 }],
    ['with parts of a cent', { least: 0.001 }],
    ['with a most below the least', { most: 49.99 }],
    ['with a capacity below the least', { capacity: 49.99 }],
    ['without a moment', { startsAt: undefined }],
    ['at a moment of no calendar', { startsAt: '2026-02-30T00:00:00Z' }],
    ['at a moment without a zone', { startsAt: '2027-01-01T00:00:00' }],
    ['in more than a year', { startsAt: ahead(400 * 86_400_000) }],
    ['without a word on being open', { isOpen: undefined }],
    ['without a reason', { reason: ' ' }],
  ])('%s', async (_, terms) => {
    const { status, body } = await askForPlan(product, chiefs[0], terms)
    expect([status, (body as { code?: string }).code]).toEqual([400, 'validation'])
  })

  test('for a moment that is over', async () => {
    expect(codeOf(await askForPlan(product, chiefs[0], { startsAt: ahead(-1) }))).toBe(
      'planMomentPast',
    )
  })

  test('for the terms that count already', async () => {
    const [{ rateBasisPoints }] = defaultPlans
    const same = { durationDays: 1, rateBasisPoints, least: 0.01, startsAt: ahead(60_000) }
    expect(codeOf(await askForPlan(product, chiefs[0], same))).toBe('proposalNeedless')
  })

  test('while another version of the plan waits', async () => {
    const asked = await askForPlan(product, chiefs[0], {
      durationDays: 32,
      startsAt: ahead(60_000),
    })
    const again = { durationDays: 32, rateBasisPoints: 1, startsAt: ahead(60_000) }
    expect(codeOf(await askForPlan(product, chiefs[1], again))).toBe('proposalAsked')
    expect((await decline(chiefs[1], asked.body.id)).status).toBe(200)
    expect(await versionsOf(32)).toEqual([])
  })
})

test('two versions never start at one moment', async () => {
  const startsAt = ahead(60_000)
  await agreeOnPlan(product, chiefs, { durationDays: 33, startsAt })
  const other = { durationDays: 33, startsAt, rateBasisPoints: 800 }
  expect(codeOf(await askForPlan(product, chiefs[0], other))).toBe('planMomentTaken')
  // Both were asked for before one was approved, as two nodes at one moment could.
  const first = await askForPlan(product, chiefs[0], { durationDays: 34, startsAt })
  await rows(`INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by)
    SELECT gen_random_uuid(), kind, 'other', payload || '{"rateBasisPoints": 7}', language, reason, asked_by
    FROM proposals WHERE id = '${first.body.id}'`)
  const [{ id = '' } = {}] = await rows<{ id: string }>(
    "SELECT id FROM proposals WHERE subject = 'other'",
  )
  const approved = await Promise.all([first.body.id, id].map((each) => approve(chiefs[1], each)))
  expect(approved.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await versionsOf(34)).toHaveLength(1)
  await decline(chiefs[1], approved[0]?.status === 200 ? id : first.body.id)
  // The forged one has no entry of who asked.
  if (approved[0]?.status !== 200) {
    await rows(`ALTER TABLE plans DISABLE TRIGGER USER; DELETE FROM plans WHERE id = '${id}';
      ALTER TABLE plans ENABLE TRIGGER USER`)
  }
})

test('one that nobody approved in time is void', async () => {
  const asked = await askSoon(product, chiefs[0], { durationDays: 35 })
  await vi.waitFor(
    async () =>
      expect((await product.call(listProposals, { token: chiefs[1].token })).body).toEqual([]),
    { timeout: 60_000, interval: 20 },
  )
  expect(codeOf(await approve(chiefs[1], asked.id))).toBe('proposalClosed')
  const again = await askForPlan(product, chiefs[0], { durationDays: 35, startsAt: ahead(60_000) })
  expect(again.status).toBe(200)
  await decline(chiefs[0], again.body.id)
  expect(await versionsOf(35)).toEqual([])
})

test('an approval that waits past its moment is refused', async () => {
  const holder = await product.database.superuser.connect()
  const { id, startsAt } = await askSoon(product, chiefs[0], { durationDays: 37 }, 3_000)
  // An open group of the ledger holds this lock.
  await holder.query(`BEGIN; ${shareSql('groups')}`)
  const answer = approve(chiefs[1], id)
  await vi.waitFor(
    async () =>
      expect(
        await rows(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`),
      ).toHaveLength(1),
    { timeout: 60_000, interval: 20 },
  )
  await vi.waitFor(
    async () =>
      expect(await rows(`SELECT FROM (SELECT) AS now WHERE now() > '${startsAt}'`)).toHaveLength(1),
    { timeout: 60_000, interval: 20 },
  )
  await holder.query('COMMIT')
  holder.release()
  // A busy machine may begin it after the moment.
  expect(['planMomentPast', 'proposalClosed']).toContain(codeOf(await answer))
  expect(await versionsOf(37)).toEqual([])
})

test('a person alone makes no plan', async () => {
  const alone = await startProduct()
  try {
    const chief = await person(alone, ['SUPER_ADMIN'])
    expect(codeOf(await askForPlan(alone, chief))).toBe('planNeedsTwo')
    const { rows } = await alone.database.pool.query("SELECT FROM proposals WHERE kind = 'PLAN'")
    expect(rows).toEqual([])
    const friend = await person(alone)
    const grant = { userId: friend.id, kind: 'GRANT', role: 'SUPER_ADMIN', reason: 'A second one' }
    await alone.call(askProposal, { token: chief.token, payload: grant })
    expect(codeOf(await askForPlan(alone, chief))).toBe('planNeedsTwo')
  } finally {
    await alone.close()
  }
})

describe('a version that SQL wrote', () => {
  const forged = (id: string, startsAt = "now() + interval '1 day'") =>
    `INSERT INTO plans (id, duration_days, rate_basis_points, least, is_open, starts_at)
      VALUES ('${id}', 36, 9999, 1, true, ${startsAt})`
  const ID = '00000000-0000-7000-8000-0000000000ff'

  test('is refused by the database', async () => {
    for (const pool of [product.database.pool, product.database.superuser])
      await expect(pool.query(forged(ID))).rejects.toThrow('takes two people')
    await expect(product.database.superuser.query('UPDATE plans SET least = 2')).rejects.toThrow()
    await expect(product.database.superuser.query('DELETE FROM plans')).rejects.toThrow()
    await expect(product.database.pool.query('UPDATE plans SET least = 2')).rejects.toThrow(
      'permission denied',
    )
  })

  test.each([
    [forged(ID), `DELETE FROM plans WHERE id = '${ID}'`, /^The plan of 36 days from .* two people/],
    [
      'UPDATE plans SET rate_basis_points = 401 WHERE duration_days = 1',
      'UPDATE plans SET rate_basis_points = 400 WHERE duration_days = 1',
      'The plan of 1 days from -infinity has no entries of two people.',
    ],
    [
      'UPDATE plans SET capacity = 100000 WHERE duration_days = 31 AND rate_basis_points = 900',
      'UPDATE plans SET capacity = NULL WHERE duration_days = 31 AND rate_basis_points = 900',
      /^The plan of 31 days from .* has no entries of two people/,
    ],
    [
      "UPDATE plans SET id = '00000000-0000-7000-8000-0000000000fe' WHERE duration_days = 30",
      `UPDATE plans SET id = (SELECT id FROM proposals WHERE subject = '30 d') WHERE duration_days = 30`,
      /\(PLAN\), but its act is missing/,
    ],
  ])('is named by the audit: %s', async (change, undo, sentence) => {
    const past = (text: string) =>
      rows(`ALTER TABLE plans DISABLE TRIGGER USER; ${text}; ALTER TABLE plans ENABLE TRIGGER USER`)
    await past(change)
    const { findings } = await checkRowsAgainstTrail(product.context.db)
    await past(undo)
    expect(findings).toContainEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    )
  })
})
