import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from '@playwright/test'
import { login, register } from '@pool/contract/accounts/users'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { deposit } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { ask } from '../server/testing/request.ts'
import type { Session } from './people.ts'

const PASSWORD = 'a long enough password'

/** `npm run sandbox:chains` of one test file, without the installation of packages. */
export const startSandbox = async () => {
  // Long: the ways to press and read a sandbox are short functions that share its state.
  const sandbox = spawn(process.execPath, ['sandbox/run.ts'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  sandbox.stdout.on('data', (part: Buffer) => {
    said += String(part)
  })
  const ready = () => sandbox.exitCode !== null || said.includes('gone after Ctrl-C')
  await expect.poll(ready, { timeout: 120_000 }).toBe(true)
  expect(said).toContain('gone after Ctrl-C')
  /** The words of its terminal behind a name. */
  const told = (name: string): string => new RegExp(`^${name} +(.+)$`, 'm').exec(said)?.[1] ?? ''
  const product = { url: told('Pool') }
  const page = told('Play coins')

  const signIn = async (username: string, password: string): Promise<Session> => {
    const { body, narration } = await ask(product, login, { payload: { username, password } })
    expect(body, narration).toHaveProperty('token')
    return { token: body.token, userId: body.userId, username, roles: body.roles }
  }
  /** Presses a button of the page of the play coins. */
  const press = async (path: string, body: object) => {
    await fetch(page + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }
  const addBlocks = async (network: string, blocks: number) => {
    for (let added = 0; added < blocks; added += 1) await press('/mine', { network })
  }
  const investor = async (): Promise<Session> => {
    const [username, password] = [`${crypto.randomUUID()}@example.com`, PASSWORD]
    const detail = { firstName: 'New', lastName: 'Comer', email: username }
    await ask(product, register, { payload: { username, password, detail } })
    return signIn(username, password)
  }
  return {
    url: product.url,
    coinsPage: page,
    signer: told('Signer'),
    investor,
    addBlocks,
    superAdmin: () => signIn(told('Super admin'), told('Their password')),
    secondSuperAdmin: () => signIn(told('A second one'), told('Their password')),
    /** Two super admins make a new person an auditor. */
    auditor: async (first: Session, second: Session): Promise<Session> => {
      const { username, userId } = await investor()
      const payload = { userId, kind: 'GRANT', role: 'AUDITOR', reason: 'Reads the books' }
      const { body } = await ask(product, askProposal, { token: first.token, payload })
      await ask(product, approveProposal, { token: second.token, params: { id: body.id } })
      return signIn(username, PASSWORD)
    },
    /** Asks for a deposit, and returns its address. */
    depositAddress: async ({ token, userId }: Session, networkName: string, amount: number) =>
      (await ask(product, deposit, { token, payload: { userId, amount, networkName } })).body
        .address,
    /** The amounts of confirmed deposits. */
    credited: async ({ token }: Session) =>
      (await ask(product, listTransactions, { token })).body
        .filter(({ status, type }) => status === 'APPROVED' && type === 'deposit')
        .map(({ amount }) => amount),
    pay: (address: string, coin: string, amount: string) =>
      press('/pay', { address, coin, amount }),
    stop: async () => {
      if (sandbox.exitCode !== null || sandbox.signalCode !== null) return
      const ended = once(sandbox, 'exit')
      sandbox.kill('SIGINT')
      expect(await ended).toEqual([0, null])
    },
  }
}

export type PlaySandbox = Awaited<ReturnType<typeof startSandbox>>
