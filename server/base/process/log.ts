import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../configuration/config.ts'
import { toTerminal } from './terminal.ts'

export type Log = Logger

/**
 * Structured logs, one JSON line each. Headers and bodies are not logged, and secrets are redacted.
 */
export const openLog = (level: string, destination: DestinationStream = toOutput()): Log =>
  pino(
    {
      level,
      redact: ['*.password', '*.token', '*.authorization', 'req.headers', 'headers.authorization'],
      serializers: {
        req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
          method,
          path: url.split('?')[0],
          ip,
        }),
      },
    },
    destination,
  )

/** The product's log on standard output: text for people at a terminal, else JSON. */
export const openOutput = ({ logLevel, logFormat }: Config): Log =>
  openLog(logLevel, logFormat === 'text' ? toTerminal() : toOutput())

/** Milliseconds after a line until the buffer is written. */
const FLUSHED_AFTER = 100

// Buffers 3 kB or 100 ms, since a write per line costs a fifth of a request. The rest is flushed
// at exit. A write fits one pipe buffer, so that processes never mix their lines.
const toOutput = (): DestinationStream => {
  const output = pino.destination({ dest: 1, sync: false, minLength: 3_072, maxWrite: 4_096 })
  let isWaiting = false
  const flush = () => {
    isWaiting = false
    output.flush()
  }
  return {
    write: (line) => {
      output.write(line)
      if (isWaiting) return
      isWaiting = true
      // A timer that goes on without lines wakes an idle process ten times a second.
      setTimeout(flush, FLUSHED_AFTER).unref()
    },
  }
}

/** The same log, of which a terminal shows only warnings and errors. */
export const quietOnTerminal = (log: Log, { logFormat }: Config): Log =>
  logFormat === 'text' && log.isLevelEnabled('info') ? log.child({}, { level: 'warn' }) : log
