import { endOtherSessions, endSession, listSessions } from '@pool/contract/accounts/sessions'
import { login } from '@pool/contract/accounts/users'
import { listAudit } from '@pool/contract/reports/audit'
import { withdraw } from '@pool/contract/requests/requests'
import { beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import {
  balanceOf,
  investorWith,
  PASSWORD,
  type Person,
  person,
  secondProcess,
  testProduct,
} from '../../testing/product.ts'
import { agedTokens } from '../../testing/sessions.ts'
import { begun, eventually, type Listening, openStream } from '../../testing/streams.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const product = testProduct({ TRUST_PROXY: 'loopback' })
let superAdmin: Person
beforeAll(async () => {
  superAdmin = await person(product, ['SUPER_ADMIN'])
})

const signInFrom = async ({ email }: Person, ip: string, userAgent: string): Promise<string> => {
  const answer = await product.app.inject({
    method: login.method,
    url: login.path,
    headers: { 'x-forwarded-for': ip, 'user-agent': userAgent },
    payload: { username: email, password: PASSWORD },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ body: { token: string } }>().body.token
}
const list = async (token: string) => (await product.call(listSessions, { token })).body
const end = (token: string, id: string) => product.call(endSession, { token, params: { id } })
const endings = async ({ id }: Person) => {
  const query = { search: id, action: 'session.othersEnded' }
  return (await product.call(listAudit, { token: superAdmin.token, query })).body
}

describe('the list of sessions', () => {
  test('names device and address, this one first', async () => {
    const someone = await person(product)
    const token = await signInFrom(someone, '203.0.113.9', FIREFOX)
    const sessions = await list(token)
    expect(sessions).toMatchObject([
      {
        current: true,
        device: { browser: 'Firefox', system: 'Linux' },
        ip: '203.0.113.9',
        startedAt: expect.any(Array),
        lastUsedAt: expect.any(Array),
      },
      { current: false, device: { browser: null, system: null }, ip: '' },
    ])
    expect(JSON.stringify(sessions)).not.toContain(token)
    expect((await list(someone.token)).map(({ current }) => current)).toEqual([true, false])
  })

  test('leaves out ended and other people’s sessions', async () => {
    const [someone, other] = [await person(product), await person(product)]
    await agedTokens(product, someone, [{ used: '15 minutes' }, { made: '12 hours' }])
    expect(await list(someone.token)).toHaveLength(1)
    expect(await list(other.token)).toHaveLength(1)
  })

  test('stores a long user agent cut', async () => {
    const someone = await person(product)
    const token = await signInFrom(someone, '203.0.113.9', `${FIREFOX} ${'x'.repeat(5_000)}`)
    expect((await list(token))[0]?.device).toEqual({ browser: 'Firefox', system: 'Linux' })
  })
})

describe('ending sessions', () => {
  test('ends one session of the caller alone', async () => {
    const someone = await person(product)
    const [lost, kept] = [
      await startSession(product.context, someone.id),
      await startSession(product.context, someone.id),
    ]
    const id = (await list(lost))[0]?.id ?? ''
    expect((await end(someone.token, id)).status).toBe(200)
    const statusOf = async (token: string) => (await product.call(listSessions, { token })).status
    expect([await statusOf(lost), await statusOf(kept), await statusOf(someone.token)]).toEqual([
      401, 200, 200,
    ])
    expect(await end(someone.token, id)).toMatchObject({
      status: 404,
      body: { code: 'sessionNotFound' },
    })
    expect(await endings(someone)).toMatchObject([
      { actorId: someone.id, ownerId: someone.id, after: { sessions: 1 } },
    ])
  })

  test('refuses another person’s session as an unknown one', async () => {
    const [someone, other] = [await person(product), await person(product)]
    const id = (await list(other.token))[0]?.id ?? ''
    expect(await end(someone.token, id)).toMatchObject({
      status: 404,
      body: { code: 'sessionNotFound' },
    })
    expect(await list(other.token)).toHaveLength(1)
  })

  test('ends the own session when it is named', async () => {
    const someone = await person(product)
    const id = (await list(someone.token))[0]?.id ?? ''
    expect((await end(someone.token, id)).status).toBe(200)
    expect((await end(someone.token, id)).status).toBe(401)
  })

  test('ends all others and spares the caller', async () => {
    const someone = await person(product)
    for (let n = 0; n < 3; n += 1) await startSession(product.context, someone.id)
    const endOthers = () => product.call(endOtherSessions, { token: someone.token })
    expect(await endOthers()).toMatchObject({ status: 200, body: { ended: 3 } })
    expect(await endOthers()).toMatchObject({ status: 200, body: { ended: 0 } })
    expect(await list(someone.token)).toMatchObject([{ current: true }])
    expect(await endings(someone)).toMatchObject([{ after: { sessions: 3 } }])
  })

  test('two sessions that end each other never both live', async () => {
    const someone = await person(product)
    const other = await startSession(product.context, someone.id)
    const endOthers = (token: string) => product.call(endOtherSessions, { token })
    const answers = await Promise.all([endOthers(someone.token), endOthers(other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('takes effect on another node, with calls under way', async () => {
    const node = await secondProcess(product)
    const investor = await investorWith(product, 20)
    const stolen = await startSession(product.context, investor.id)
    const id = (await list(stolen))[0]?.id ?? ''
    const ask = () =>
      node.inject({
        method: withdraw.method,
        url: withdraw.path,
        headers: { authorization: `Bearer ${stolen}` },
        payload: { userId: investor.id, amount: 20 },
      })
    const [ended, asked] = await Promise.all([end(investor.token, id), ask()])
    expect(ended.status).toBe(200)
    expect([200, 401]).toContain(asked.statusCode)
    expect(await balanceOf(product, investor)).toBe(asked.statusCode === 200 ? 0 : 20)
    expect((await ask()).statusCode).toBe(401)
    await node.close()
  })
})

test('streams hear of sessions, and an ended one closes', async () => {
  const url = await product.app.listen({ host: '127.0.0.1', port: 0 })
  const leave = new AbortController()
  const [someone, bystander] = [await person(product), await person(product)]
  const lost = await startSession(product.context, someone.id)
  const streams = await Promise.all(
    [someone, { token: lost }, bystander].map((each) => openStream(url, each, leave.signal)),
  )
  await begun(streams)
  const [own, other, foreign] = streams as [Listening, Listening, Listening]
  const newsIn = ({ changes }: Listening) =>
    changes().filter(({ noun }) => noun === 'session').length
  await startSession(product.context, someone.id)
  await eventually(() => expect(newsIn(own)).toBe(1))
  await product.call(endOtherSessions, { token: someone.token })
  expect(await other.ended).toBe('ended')
  await eventually(() => expect(newsIn(own)).toBe(2))
  expect(newsIn(foreign)).toBe(0)
  leave.abort()
})
