import { health, readiness } from '@pool/contract/base/health'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../base/configuration/config.ts'

/** Load balancers call these over http. Their responses hold nothing secret. */
const OPEN: readonly string[] = [health.path, readiness.path]

/**
 * Refuses requests over plain http, also from this machine: a proxy beside the product may name no
 * protocol. Redirects pages to an https public URL.
 */
export const requireHttps = (app: FastifyInstance, { httpsOnly, publicUrl }: Config): void => {
  if (!httpsOnly) return
  const elsewhere = publicUrl.startsWith('https:') ? publicUrl : undefined
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https' || OPEN.includes(request.routeOptions.url ?? '')) return
    if (elsewhere === undefined || /^\/api(\/|$)/.test(request.url)) throw refusal('httpsRequired')
    return reply.header('cache-control', 'no-store').redirect(`${elsewhere}${request.url}`, 308)
  })
}
