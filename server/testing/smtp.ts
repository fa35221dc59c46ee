import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail that a server took over. */
export type Received = { readonly to: string; readonly messageId: string; readonly raw: string }

/** Failures of a mail server. `at` is the step that fails, from its callback. */
export type Failure = {
  readonly at: 'RCPT' | 'DATA'
  /** A status to answer, a stall without an answer, or a dropped connection. */
  readonly by: number | 'stall' | 'drop'
}

/** An SMTP server of a test, with the mails that it accepted. */
export type Smtp = {
  readonly port: number
  readonly url: string
  readonly received: readonly Received[]
  /** Fails from now on, for every recipient or one. Undefined works again. */
  readonly fail: (failure?: Failure, recipient?: string) => void
  readonly close: () => Promise<void>
}

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Starts a mail server on loopback. */
export const startSmtp = async (port = 0): Promise<Smtp> => {
  const received: Received[] = []
  let failing: { failure: Failure; recipient: string | undefined } | undefined

  /** Fails if told to. Returns false to go on. */
  const fails = (at: Failure['at'], to: string, done: (error?: Error) => void): boolean => {
    if (failing?.failure.at !== at || (failing.recipient ?? to) !== to) return false
    const { by } = failing.failure
    if (by === 'drop') for (const connection of server.connections) connection._socket.destroy()
    else if (by !== 'stall') done(Object.assign(new Error('told to fail'), { responseCode: by }))
    return true
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => void (fails('RCPT', address, done) || done()),
    onData: async (stream, { envelope }, done) => {
      const to = envelope.rcptTo[0]?.address ?? ''
      const raw = await textOf(stream).catch(() => undefined)
      // The client left before the end.
      if (raw === undefined) return
      if (fails('DATA', to, done)) return
      received.push({ to, raw, messageId: /^message-id: (.+)\r$/im.exec(raw)?.[1] ?? '' })
      done()
    },
  })
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  server.on('error', () => undefined)
  const { port: taken } = listening.address() as AddressInfo
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    received,
    fail: (failure, recipient) => {
      failing = failure && { failure, recipient }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
