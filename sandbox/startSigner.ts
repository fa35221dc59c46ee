import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SignerReady, SignerSettings } from './signer/main.ts'

export type Signer = SignerReady & {
  /** Gives its page the URLs of others. */
  readonly tell: (links: object) => void
  readonly stop: () => Promise<unknown>
}

/** Starts the signer in a process of its own, without the environment of this one. */
export const startSigner = async (settings: SignerSettings): Promise<Signer> => {
  const child = fork(join(import.meta.dirname, 'signer/main.ts'), [], {
    env: { SIGNER: JSON.stringify(settings) },
    execArgv: [],
  })
  const ended = once(child, 'exit')
  const ready = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The signer has ended.'))),
  ])
  return {
    ...(ready[0] as SignerReady),
    tell: (links) => void child.send(links),
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
