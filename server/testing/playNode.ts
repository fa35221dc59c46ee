import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Calls a method of a node that a test started. Throws its refusal. */
export type AskNode = <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>

type Answer = { readonly id: unknown; readonly result: unknown; readonly error?: object | null }

/** Sends the text of a call, and returns the text of the answer. */
export const post = async (url: string, body: string, credentials?: string): Promise<string> => {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...(credentials && {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    },
  })
  return answer.text()
}

const resultOf = <T>(method: string, answer: Answer | undefined): T => {
  if (!answer || answer.error) throw new Error(`${method}: ${JSON.stringify(answer?.error)}`)
  return answer.result as T
}

export const askAt =
  (url: string, credentials?: string): AskNode =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params })
    return resultOf(method, JSON.parse(await post(url, body, credentials)))
  }

/** Makes a call for each list of parameters, a hundred in a request. Throws the first refusal. */
export const askEach = async <T>(
  { url, credentials }: { readonly url: string; readonly credentials?: string },
  method: string,
  calls: readonly (readonly unknown[])[],
): Promise<T[]> => {
  const results: T[] = []
  for (let from = 0; from < calls.length; from += 100) {
    const some = calls.slice(from, from + 100)
    const body = some.map((params, id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers = JSON.parse(await post(url, JSON.stringify(body), credentials)) as Answer[]
    for (const [at] of some.entries())
      results.push(
        resultOf(
          method,
          answers.find(({ id }) => id === at),
        ),
      )
  }
  return results
}

/** A port that no server has now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Starts a program, and resolves with the match of `ready` in its output. Throws with the output
 * when it ends before. `stop` kills it.
 */
export const startNode = async (program: string, options: readonly string[], ready: RegExp) => {
  const child: ChildProcess = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const found = new Promise<RegExpExecArray>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        said += part.toString()
        const match = ready.exec(said)
        if (match) resolve(match)
      })
  })
  const match = await Promise.race([found, ended])
  if (!match) throw new Error(`${program} ended: ${said}`)
  return {
    match,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

let directory: string | undefined
let files = 0

/** Writes a file for `CHAINS`, for the process of the test. */
export const chainsFile = (entries: object): string => {
  directory ??= mkdtempSync(join(tmpdir(), 'pool-chains-'))
  const made = directory
  if (files === 0) process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  files += 1
  const path = join(made, `${files}.json`)
  writeFileSync(path, JSON.stringify(entries))
  return path
}
