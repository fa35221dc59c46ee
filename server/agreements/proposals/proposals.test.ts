import { login, type RoleType } from '@pool/contract/accounts/users'
import {
  approveProposal,
  askProposal,
  declineProposal,
  listProposals,
} from '@pool/contract/agreements/proposals'
import { beforeEach, expect, test } from 'vitest'
import { grantRole, revokeRole } from '../../accounts/users/roles.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import { PASSWORD, type Person, person, rewoundProduct } from '../../testing/product.ts'
import { approveProposal as decide } from './decide.ts'

const product = rewoundProduct()
let first: Person
let second: Person
let subject: Person
beforeEach(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
  subject = await person(product)
})

type RequestBody = Record<string, string>
const GRANT = { kind: 'GRANT', role: 'ADMIN' }
const AUDIT = { kind: 'GRANT', role: 'AUDITOR' }
const ask = (by: Person, of: Person, change: RequestBody = GRANT) =>
  product.call(askProposal, {
    token: by.token,
    payload: { userId: of.id, reason: 'Joins the desk', ...change },
  })
const asked = async (by: Person, of: Person, change: RequestBody = GRANT): Promise<string> => {
  const answer = await ask(by, of, change)
  expect(answer).toMatchObject({ status: 200, body: { isInForce: false } })
  return answer.body.id
}
const approve = (by: Person, id: string) =>
  product.call(approveProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineProposal, { token: by.token, params: { id } })
const open = async (by: Person) => (await product.call(listProposals, { token: by.token })).body
/** The status of each proposal, by its id. */
const statusesOf = async (ids: readonly string[]) => {
  const query = { ids: ids.join() }
  const { body } = await product.call(listProposals, { token: first.token, query })
  return Object.fromEntries(body.map(({ id, status }) => [id, status]))
}
const rolesOf = async ({ id }: Person): Promise<RoleType[]> =>
  (
    await product.database.pool.query(
      'SELECT role FROM user_roles WHERE user_id = $1 ORDER BY role',
      [id],
    )
  ).rows.map(({ role }) => role)
const actions = async ({ id }: Person): Promise<string[]> =>
  (
    await product.database.pool.query(
      "SELECT action FROM audit_entries WHERE owner_id = $1 AND action ~ '^(agreement|role|user.(s|resumed))' ORDER BY id",
      [id],
    )
  ).rows.map(({ action }) => action)
const signsIn = async ({ email }: Person) =>
  (await product.call(login, { payload: { username: email, password: PASSWORD } })).status

test('a role is in force once a second one approves', async () => {
  const id = await asked(first, subject)
  expect(await rolesOf(subject)).toEqual(['USER'])
  expect(await open(second)).toMatchObject([
    {
      id,
      userId: subject.id,
      about: subject.email,
      askedBy: first.email,
      kind: 'GRANT',
      facts: { role: 'ADMIN' },
      reason: 'Joins the desk',
    },
  ])
  expect(await approve(first, id)).toMatchObject({
    status: 403,
    body: { code: 'ownProposal' },
  })
  expect((await approve(second, id)).status).toBe(200)
  expect(await rolesOf(subject)).toEqual(['ADMIN', 'USER'])
  expect(await open(first)).toEqual([])
  expect(await approve(second, id)).toMatchObject({ body: { code: 'proposalClosed' } })
  expect(await actions(subject)).toEqual(['agreement.asked', 'agreement.approved', 'role.granted'])
})

test('proposals are found by their ids after they ended', async () => {
  const rejected = await asked(first, subject)
  await decline(second, rejected)
  const withdrawn = await asked(first, subject)
  await decline(first, withdrawn)
  const approved = await asked(first, subject)
  await approve(second, approved)
  const waiting = await asked(first, subject, { kind: 'SUSPEND' })
  expect(await statusesOf([rejected, withdrawn, approved])).toEqual({
    [rejected]: 'REJECTED',
    [withdrawn]: 'REJECTED',
    [approved]: 'APPROVED',
  })
  expect(await open(first)).toMatchObject([{ id: waiting, status: 'PENDING' }])
})

test('a suspension ends sessions and sign-ins until the resumption', async () => {
  expect((await approve(second, await asked(first, subject, { kind: 'SUSPEND' }))).status).toBe(200)
  expect((await product.call(listProposals, { token: subject.token })).status).toBe(401)
  expect(await signsIn(subject)).toBe(403)
  expect((await approve(first, await asked(second, subject, { kind: 'RESUME' }))).status).toBe(200)
  expect(await signsIn(subject)).toBe(200)
})

test('a request is withdrawn by its asker, or rejected', async () => {
  const id = await asked(first, subject)
  expect(await ask(second, subject)).toMatchObject({ body: { code: 'proposalAsked' } })
  expect((await decline(first, id)).status).toBe(200)
  const again = await asked(first, subject)
  expect((await decline(second, again)).status).toBe(200)
  for (const closed of [id, again]) {
    expect(await approve(second, closed)).toMatchObject({ body: { code: 'proposalClosed' } })
    expect(await decline(second, closed)).toMatchObject({ body: { code: 'proposalClosed' } })
  }
  expect(await rolesOf(subject)).toEqual(['USER'])
  expect(await actions(subject)).toEqual([
    'agreement.asked',
    'agreement.declined',
    'agreement.asked',
    'agreement.declined',
  ])
})

test('needless changes are refused', async () => {
  for (const change of [
    { kind: 'GRANT', role: 'USER' },
    { kind: 'REVOKE', role: 'ADMIN' },
    { kind: 'RESUME' },
  ])
    expect(await ask(first, subject, change)).toMatchObject({
      status: 409,
      body: { code: 'proposalNeedless' },
    })
})

test('an auditor has no other staff role', async () => {
  const ofAdmin = await asked(first, subject)
  const ofAuditor = await asked(first, subject, AUDIT)
  expect((await approve(second, ofAuditor)).status).toBe(200)
  for (const answer of [
    await approve(second, ofAdmin),
    await ask(first, subject, { kind: 'GRANT', role: 'SUPER_ADMIN' }),
    await ask(first, second, AUDIT),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'auditorOnly' } })
  const operator = { by: { name: 'operator', from: 'operator' } }
  for (const [{ email }, role] of [
    [subject, 'ADMIN'],
    [first, 'AUDITOR'],
  ] as const)
    await expect(grantRole(product.context, { ...operator, email, role })).rejects.toThrow(
      'Auditors have no other staff role.',
    )
  await approve(second, await asked(first, subject, { ...AUDIT, kind: 'REVOKE' }))
  expect((await approve(second, ofAdmin)).status).toBe(200)
  expect(await rolesOf(subject)).toEqual(['ADMIN', 'USER'])
})

test('of two grants at once one role comes', async () => {
  const grants = [await asked(first, subject), await asked(first, subject, AUDIT)]
  const answers = await Promise.all(grants.map((id) => approve(second, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await rolesOf(subject)).toHaveLength(2)
})

test('the only super admin changes all access but their own', async () => {
  await approve(second, await asked(first, second, { kind: 'REVOKE', role: 'SUPER_ADMIN' }))
  expect(await ask(first, subject)).toMatchObject({ status: 200, body: { isInForce: true } })
  expect(await rolesOf(subject)).toEqual(['ADMIN', 'USER'])
  const { rows } = await product.database.pool.query(
    "SELECT after FROM audit_entries WHERE owner_id = $1 AND action = 'agreement.asked'",
    [subject.id],
  )
  expect(rows).toEqual([{ after: expect.objectContaining({ ...GRANT, alone: true }) }])
  for (const change of [{ kind: 'REVOKE', role: 'SUPER_ADMIN' }, { kind: 'SUSPEND' }])
    expect(await ask(first, first, change)).toMatchObject({
      status: 409,
      body: { code: 'lastSuperAdmin' },
    })
  expect(await rolesOf(first)).toEqual(['SUPER_ADMIN'])
  expect(await signsIn(first)).toBe(200)
})

test('an account let in alone is no second person', async () => {
  await approve(second, await asked(first, second, { kind: 'REVOKE', role: 'SUPER_ADMIN' }))
  const SUPER = { kind: 'GRANT', role: 'SUPER_ADMIN' }
  expect((await ask(first, second, SUPER)).body).toMatchObject({ isInForce: true })
  second = { ...second, token: await startSession(product.context, second.id) }
  // The first one still acts alone, and the second one does not.
  expect((await ask(first, subject)).body).toMatchObject({ isInForce: true })
  const other = await person(product)
  const id = await asked(second, other)
  expect(await approve(first, id)).toMatchObject({ status: 409, body: { code: 'samePerson' } })
  await product.database.superuser.query(
    "UPDATE user_roles SET granted_at = granted_at - interval '25 hours'",
  )
  expect((await approve(first, id)).status).toBe(200)
  const later = await asked(first, await person(product))
  expect((await approve(second, later)).status).toBe(200)
})

test('of many approvals at once one succeeds', async () => {
  const third = await person(product, ['SUPER_ADMIN'])
  const id = await asked(first, subject)
  const answers = await Promise.all([second, third, second, third].map((by) => approve(by, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(await rolesOf(subject)).toEqual(['ADMIN', 'USER'])
})

test('of fifty deciders at once one wins', async () => {
  const deciders = [second]
  while (deciders.length < 5) deciders.push(await person(product, ['SUPER_ADMIN']))
  const id = await asked(first, subject)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) =>
      (turn % 2 === 0 ? approve : decline)(deciders[turn % 5] ?? second, id),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(49)
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 409, body: { code: 'proposalClosed' } })
  expect(await actions(subject)).toSatisfy(([asking, decision, ...rest]: string[]) =>
    decision === 'agreement.approved'
      ? asking === 'agreement.asked' && rest.join() === 'role.granted'
      : decision === 'agreement.declined' && rest.length === 0,
  )
})

test('who lost the role meanwhile decides nothing', async () => {
  const operator = { name: 'operator', from: 'operator' }
  for (let round = 0; round < 3; round += 1) {
    const third = await person(product, ['SUPER_ADMIN'])
    const of = await person(product)
    const role = await asked(first, of)
    const [{ status }] = await Promise.all([
      approve(third, role),
      revokeRole(product.context, { by: operator, email: third.email, role: 'SUPER_ADMIN' }),
    ])
    expect(await rolesOf(of)).toEqual(status === 200 ? ['ADMIN', 'USER'] : ['USER'])
    // Without a session, the statement that decides looks for the role.
    const by = { id: third.id, name: third.email, from: 'here' }
    const id = await asked(first, of, { kind: 'SUSPEND' })
    await expect(decide(product.context, { id, by })).rejects.toThrow('no longer open')
  }
})

test.each([[{ kind: 'REVOKE', role: 'SUPER_ADMIN' }], [{ kind: 'SUSPEND' }]])(
  'two super admins cannot both be shut out by %j',
  async (change) => {
    for (let round = 0; round < 3; round += 1) {
      const ofSecond = await asked(first, second, change)
      const ofFirst = await asked(second, first, change)
      await Promise.all([approve(second, ofSecond), approve(first, ofFirst)])
      const { rows } = await product.database.pool.query(
        "SELECT id FROM users JOIN user_roles ON user_id = id WHERE role = 'SUPER_ADMIN' AND suspended_at IS NULL",
      )
      expect(rows).toHaveLength(1)
      first = await person(product, ['SUPER_ADMIN'])
      second = await person(product, ['SUPER_ADMIN'])
      await product.database.pool.query(
        'DELETE FROM user_roles WHERE user_id <> ALL ($1) AND role = $2',
        [[first.id, second.id], 'SUPER_ADMIN'],
      )
    }
  },
)

test('the request of a former super admin is void', async () => {
  const third = await person(product, ['SUPER_ADMIN'])
  const id = await asked(first, subject)
  await approve(third, await asked(second, first, { kind: 'REVOKE', role: 'SUPER_ADMIN' }))
  expect(await open(second)).toEqual([])
  expect(await approve(second, id)).toMatchObject({ body: { code: 'proposalClosed' } })
  expect(await rolesOf(subject)).toEqual(['USER'])
  // It blocks no new one.
  await asked(second, subject)
})

test('a request older than a week cannot be approved', async () => {
  const id = await asked(first, subject)
  const { superuser } = product.database
  await superuser.query('ALTER TABLE proposals DISABLE TRIGGER USER')
  await superuser.query("UPDATE proposals SET asked_at = now() - interval '7 days'")
  await superuser.query('ALTER TABLE proposals ENABLE TRIGGER USER')
  expect(await open(second)).toEqual([])
  expect(await statusesOf([id])).toEqual({ [id]: 'EXPIRED' })
  expect(await approve(second, id)).toMatchObject({ body: { code: 'proposalClosed' } })
})

test('each step asks for a recent second factor', async () => {
  const id = await asked(first, subject)
  await addApp(product, second)
  await letFactorAge(product, second, '6 minutes')
  for (const answer of [
    await ask(second, subject, { kind: 'SUSPEND' }),
    await approve(second, id),
    await decline(second, id),
  ])
    expect(answer).toMatchObject({ status: 403, body: { code: 'factorNeeded' } })
})

test('the database keeps requests as they were asked', async () => {
  const id = await asked(first, subject)
  const { pool } = product.database
  for (const statement of [
    `UPDATE proposals SET payload = payload || '{"role": "SUPER_ADMIN"}'`,
    "UPDATE proposals SET status = 'DONE', decided_by = asked_by, decided_at = now(), ended_at = now()",
    "UPDATE proposals SET status = 'DONE', decided_at = now(), ended_at = now()",
  ])
    await expect(pool.query(statement)).rejects.toThrow()
  await approve(second, id)
  await expect(
    pool.query(
      "UPDATE proposals SET status = 'OPEN', decided_by = NULL, decided_at = NULL, ended_at = NULL",
    ),
  ).rejects.toThrow()
  await expect(product.database.superuser.query('DELETE FROM proposals')).rejects.toThrow()
})
