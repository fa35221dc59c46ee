import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Structured logs, one JSON line each. Tokens and passwords never reach them: headers and bodies
 * are not logged, and these names are struck out.
 */
export const openLog = (level: string, destination?: DestinationStream): Log =>
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
    // Lines are written together, when there are some kilobytes or after a tenth of a second: a
    // write for each takes a fifth of what a request costs. Not more at once than a pipe takes as
    // one piece, lest two processes mix their lines. What is left when the process ends is written
    // then.
    destination ??
      pino.destination({
        dest: 1,
        sync: false,
        minLength: 3_072,
        maxWrite: 4_096,
        periodicFlush: 100,
      }),
  )
