/**
 * The load generator, a process of its own. It keeps sockets open, sends one request at a time on
 * each, and returns a summary of the plan.
 */
import { connect, type Socket } from 'node:net'
import { percentile } from './arithmetic.ts'
import { type Plan, requestText, type Summary } from './plan.ts'

/** A request that waits for a free connection. `since` is in milliseconds. */
type Due = { readonly text: string; readonly since: number }

const pick = (mix: Plan['mix']): string => {
  let chance = Math.random()
  for (const { share, request } of mix) {
    chance -= share
    if (chance < 0) return requestText(request)
  }
  return requestText(mix[0].request)
}

/** The end of the first response in the bytes; undefined while it is incomplete. */
const endOfAnswer = (bytes: Buffer): number | undefined => {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? []
  const end = head + 4 + Number(length)
  return bytes.length >= end ? end : undefined
}

/** A connection that sends one request after the other. */
const open = (
  { host = '127.0.0.1', port }: Pick<Plan, 'host' | 'port'>,
  onAnswer: (due: Due, status: number) => void,
) => {
  const socket: Socket = connect({ port, host, noDelay: true })
  let underWay: Due | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (part) => {
    received = received.length === 0 ? part : Buffer.concat([received, part])
    const end = underWay && endOfAnswer(received)
    if (!underWay || end === undefined) return
    const due = underWay
    const status = Number(received.toString('latin1', 9, 12))
    underWay = undefined
    received = received.subarray(end)
    onAnswer(due, status)
  })
  return {
    isFree: () => underWay === undefined,
    send: (due: Due) => {
      underWay = due
      socket.write(due.text)
    },
    close: () => socket.destroy(),
    opened: new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the server closed a connection')))
    }),
  }
}

const runPlan = async ({
  host,
  port,
  connections,
  seconds,
  warmUp,
  rate,
  most = Number.POSITIVE_INFINITY,
  mix,
}: Plan): Promise<Summary> => {
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const waiting: Due[] = []
  let sent = 0
  let measuringSince = Number.POSITIVE_INFINITY
  let stopped = false

  const sendOn = (connection: ReturnType<typeof open>): void => {
    if (stopped || sent >= most) return
    const due = rate === undefined ? { text: pick(mix), since: performance.now() } : waiting.shift()
    if (due === undefined) return
    sent += 1
    connection.send(due)
  }
  const all = Array.from({ length: connections }, () => {
    const connection = open({ ...(host && { host }), port }, ({ since }, status) => {
      const now = performance.now()
      if (since >= measuringSince && !stopped) {
        latencies.push(now - since)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      answered += 1
      sendOn(connection)
    })
    return connection
  })
  let answered = 0
  await Promise.all(all.map(({ opened }) => opened))

  const began = performance.now()
  let due = 0
  // At a fixed rate, a request's time counts from when it was due, so a slow server cannot hide.
  const pace = () => {
    if (rate === undefined) return
    const until = ((performance.now() - began) / 1_000) * rate
    for (; due < until; due += 1)
      waiting.push({ text: pick(mix), since: began + (due / rate) * 1_000 })
    for (const connection of all) if (connection.isFree()) sendOn(connection)
  }
  const pacing = setInterval(pace, 1)
  if (rate === undefined) all.forEach(sendOn)

  await new Promise((resolve) => setTimeout(resolve, warmUp * 1_000))
  measuringSince = performance.now()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const whole = setTimeout(end, seconds * 1_000)
  const looking = setInterval(() => answered >= most && end(), 5)
  await over
  const took = (performance.now() - measuringSince) / 1_000
  stopped = true
  clearTimeout(whole)
  clearInterval(looking)
  clearInterval(pacing)
  for (const { close } of all) close()
  return {
    answered: latencies.length,
    seconds: took,
    perSecond: latencies.length / took,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    statuses,
  }
}

process.once('message', async (plan: Plan) => {
  const summary = await runPlan(plan)
  process.send?.(summary, () => process.disconnect())
})
